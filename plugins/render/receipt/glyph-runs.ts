/**
 * Reads which glyphs a PDF of Chromium's Skia backend sets: a scan of our own renderer's output in linear time and bounded memory, like
 * `pdf-scan.ts`, not a parser for PDFs that callers send. Skia writes glyphs as hexadecimal strings, of two bytes each where the font is
 * composite and of one byte else, names a font by its object number (`/F4`), and says in `/ActualText` what a glyph stands for that the
 * font's ToUnicode does not know. Source: `SkPDFDevice.cpp`, `SkPDFFont.cpp` of Skia; ISO 32000-1 9.4 and 14.9.4.
 * @module
 */
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import { TimeSlice } from '../../../src/plugin.ts';

const inflateElsewhere = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Larger streams are unpacked by another thread. */
const SMALL_BYTES = 16_384;
/** Content of all pages together that is read. */
const MAX_CONTENT_BYTES = 8_000_000;

const ZERO = 0x30;

const STREAM = '>> stream\n';

/** Glyph 0, the box of a font, in the text of a PDF. */
export interface BoxRuns {
  count: number;
  /** Characters that the PDF names. */
  characters: string[];
  /** True when there are boxes whose characters the PDF does not name. */
  unnamed: boolean;
}

/** Finds where glyph 0 is set. */
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
    const content = await unpack(stream, room);
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
    // An end that lies ahead is not looked for again.
    if (end <= start) end = pdf.indexOf('endobj', start);
    if (end < 0) return;
    const open = pdf.subarray(start, end).indexOf(STREAM);
    const from = open < 0 ? -1 : start + open + STREAM.length;
    const dictionary = pdf.toString('latin1', start + 7, open < 0 ? Math.min(end, start + 2_000) : from);
    const length = from < 0 ? undefined : /\/Length (\d+)/.exec(dictionary)?.[1];
    const stream = length === undefined ? undefined : pdf.subarray(from, from + Number(length));
    yield { id, dictionary, stream };
    // Bytes of a stream may say anything, so it is passed over.
    start = pdf.indexOf(' 0 obj\n', stream ? from + stream.length : end);
  }
}

/** Contents of pages have nothing but filter and length; so have CMaps, which are told apart below, and glyphs of Type 3 fonts. */
function isContent(dictionary: string): boolean {
  return (
    dictionary.includes('/FlateDecode') &&
    !/\/(Type|Length1|N|FunctionType)\b(?! \/XObject\n\/Subtype \/Form)/.test(dictionary)
  );
}

async function unpack(stream: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return stream.length <= SMALL_BYTES
      ? inflateSync(stream, { maxOutputLength })
      : await inflateElsewhere(stream, { maxOutputLength });
  } catch {
    // Longer than what is read, in a part of a document that nobody will print.
    return Buffer.alloc(0);
  }
}

/** After so many tokens the clock is looked at. */
const TOKENS_AT_ONCE = 1_000;

const TOKEN = /\/F(\d+) [-.\d]+ Tf|\/ActualText <([0-9A-Fa-f]*)>|<([0-9A-Fa-f]+)>|\bEMC\b/g;

/** Reads text objects. Glyphs between `/ActualText` and `EMC` stand for that text. */
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
    if (tokens % TOKENS_AT_ONCE === 0 && slice.isOver) await slice.next();
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

/** Counts glyph 0 among glyphs of so many digits each. */
function countBoxes(glyphs: string, digits: number): number {
  let count = 0;
  for (let at = 0; at < glyphs.length; at += digits) {
    let zeros = 0;
    while (zeros < digits && glyphs.charCodeAt(at + zeros) === ZERO) zeros += 1;
    if (zeros === digits) count += 1;
  }
  return count;
}

/** Decodes UTF-16BE with its byte order mark, as Skia writes every text; half a code unit is left out. */
function decodeText(hex: string): string {
  const bytes = Buffer.from(hex.slice(0, hex.length - (hex.length % 4)), 'hex').swap16();
  return bytes.toString('utf16le').replace(/^\uFEFF/, '');
}
