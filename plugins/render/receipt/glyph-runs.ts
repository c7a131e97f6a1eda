/**
 * Finds missing glyphs in a PDF of Chromium's Skia backend. Like `pdf-scan.ts`, this is a scan in linear time
 * and bounded memory, not a parser for PDFs that callers send. Skia writes glyphs as hexadecimal strings,
 * with two bytes per glyph for composite fonts and one byte otherwise. It names a font by its object number
 * (`/F4`), and gives the text of a glyph that is missing in the font's ToUnicode map as `/ActualText`.
 * Source: `SkPDFDevice.cpp`, `SkPDFFont.cpp` of Skia; ISO 32000-1 9.4 and 14.9.4.
 * @module
 */
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import { TimeSlice } from '../../../src/plugin.ts';

const inflateInThread = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Larger streams are inflated in another thread. */
const SMALL_BYTES = 16_384;
/** The maximum size of the content that is read, over all pages. */
const MAX_CONTENT_BYTES = 8_000_000;

const ZERO = 0x30;

const STREAM = '>> stream\n';

/** The occurrences of glyph 0, the box that a font shows for a missing character. */
export interface BoxRuns {
  count: number;
  /** The missing characters that the PDF names. */
  characters: string[];
  /** True when the PDF does not name the characters of all boxes. */
  unnamed: boolean;
}

/** Finds the occurrences of glyph 0. */
export async function readGlyphRuns(pdf: Buffer): Promise<BoxRuns> {
  const composite = new Set<string>();
  const packed: Buffer[] = [];
  const slice = new TimeSlice();
  for (const { id, dictionary, stream } of objectsOf(pdf)) {
    if (slice.isOver) await slice.next();
    if (dictionary.includes('/Subtype /Type0')) composite.add(id);
    if (stream && isContent(dictionary)) packed.push(stream);
  }
  const found: BoxRuns = { count: 0, characters: [], unnamed: false };
  let room = MAX_CONTENT_BYTES;
  for (const stream of packed) {
    if (slice.isOver) await slice.next();
    const content = await inflateStream(stream, room);
    room -= content.length;
    await collect(content.toString('latin1'), { composite, found, slice });
    if (room <= 0) break;
  }
  return found;
}

interface ScannedObject {
  id: string;
  dictionary: string;
  stream: Buffer | undefined;
}

function* objectsOf(pdf: Buffer): Generator<ScannedObject> {
  let end = 0;
  for (let start = pdf.indexOf(' 0 obj\n'); start >= 0;) {
    const id = /\d{1,10}$/.exec(pdf.toString('latin1', Math.max(0, start - 10), start))?.[0] ?? '';
    // The end that the last iteration found may still lie ahead.
    if (end <= start) end = pdf.indexOf('endobj', start);
    if (end < 0) return;
    const open = pdf.subarray(start, end).indexOf(STREAM);
    const from = open < 0 ? -1 : start + open + STREAM.length;
    const dictionary = pdf.toString('latin1', start + 7, open < 0 ? Math.min(end, start + 2_000) : from);
    const length = from < 0 ? undefined : /\/Length (\d+)/.exec(dictionary)?.[1];
    const stream = length === undefined ? undefined : pdf.subarray(from, from + Number(length));
    yield { id, dictionary, stream };
    // Streams are skipped, because they may contain any bytes.
    start = pdf.indexOf(' 0 obj\n', stream ? from + stream.length : end);
  }
}

/**
 * Returns true for streams with only a filter and a length: page contents, glyphs of Type 3 fonts, and CMaps,
 * which `collect` skips.
 */
function isContent(dictionary: string): boolean {
  return (
    dictionary.includes('/FlateDecode') &&
    !/\/(Type|Length1|N|FunctionType)\b(?! \/XObject\n\/Subtype \/Form)/.test(dictionary)
  );
}

async function inflateStream(stream: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return stream.length <= SMALL_BYTES
      ? inflateSync(stream, { maxOutputLength })
      : await inflateInThread(stream, { maxOutputLength });
  } catch {
    // The stream is longer than the remaining limit.
    return Buffer.alloc(0);
  }
}

/** The number of tokens between two checks of the clock. */
const TOKENS_PER_CHECK = 1_000;

const TOKEN = /\/F(\d+) [-.\d]+ Tf|\/ActualText <([0-9A-Fa-f]*)>|<([0-9A-Fa-f]+)>|\bEMC\b/g;

/** Reads text objects. Glyphs between `/ActualText` and `EMC` represent that text. */
async function collect(
  content: string,
  { composite, found, slice }: { composite: ReadonlySet<string>; found: BoxRuns; slice: TimeSlice },
): Promise<void> {
  if (content.startsWith('/CIDInit') || !content.includes('00')) return;
  const seen = new Set(found.characters);
  let digits = 2;
  let actual: string | undefined;
  let tokens = 0;
  for (const [token, font, text, glyphs] of content.matchAll(TOKEN)) {
    tokens += 1;
    if (tokens % TOKENS_PER_CHECK === 0 && slice.isOver) await slice.next();
    if (font !== undefined) digits = composite.has(font) ? 4 : 2;
    else if (text !== undefined) actual = text;
    else if (token === 'EMC') actual = undefined;
    else if (glyphs !== undefined) {
      const boxes = countBoxes(glyphs, digits);
      found.count += boxes;
      if (boxes > 0 && actual === undefined) found.unnamed = true;
      if (boxes > 0 && actual !== undefined) for (const character of decodeText(actual)) seen.add(character);
    }
  }
  found.characters = [...seen];
}

/** Counts glyph 0 among glyphs with the given number of digits. */
function countBoxes(glyphs: string, digits: number): number {
  let count = 0;
  for (let at = 0; at < glyphs.length; at += digits) {
    let zeros = 0;
    while (zeros < digits && glyphs.charCodeAt(at + zeros) === ZERO) zeros += 1;
    if (zeros === digits) count += 1;
  }
  return count;
}

/** Decodes UTF-16BE with a byte order mark, as Skia writes it. Ignores an incomplete code unit. */
function decodeText(hex: string): string {
  const bytes = Buffer.from(hex.slice(0, hex.length - (hex.length % 4)), 'hex').swap16();
  return bytes.toString('utf16le').replace(/^\uFEFF/, '');
}
