/**
 * Reads which glyphs a PDF of Chromium's Skia backend sets: a scan of our own renderer's output in linear time and bounded memory, like
 * `pdf-scan.ts`, not a parser for PDFs that callers send. Skia writes glyphs as hexadecimal strings, of two bytes each where the font is
 * composite and of one byte else, names a font by its object number (`/F4`), and says in `/ActualText` what a glyph stands for that the
 * font's ToUnicode does not know. Source: `SkPDFDevice.cpp`, `SkPDFFont.cpp` of Skia; ISO 32000-1 9.4 and 14.9.4.
 * @module
 */
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';

const inflateElsewhere = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Larger streams are unpacked by another thread. */
const SMALL_BYTES = 16_384;
/** Content of all pages together that is read. */
const MAX_CONTENT_BYTES = 8_000_000;

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
  const slices = new Slices();
  for (const { id, dictionary, stream } of objectsOf(pdf)) {
    await slices.pause();
    if (dictionary.includes('/Subtype /Type0')) composite.add(id);
    if (stream && isContent(dictionary)) packed.push(stream);
  }
  const found: BoxRuns = { count: 0, characters: [], unnamed: false };
  let room = MAX_CONTENT_BYTES;
  for (const stream of packed) {
    const content = await unpack(stream, room);
    room -= content.length;
    await slices.pause();
    await collect(content.toString('latin1'), { composite, found, slices });
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
  for (let start = pdf.indexOf(' 0 obj\n'); start >= 0;) {
    const id = /\d{1,10}$/.exec(pdf.toString('latin1', Math.max(0, start - 10), start))?.[0] ?? '';
    const end = pdf.indexOf('endobj', start);
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

/** How long the scan occupies the event loop at once. */
const SLICE_MS = 5;

/** Lets other work have its turn now and then. */
class Slices {
  #dueAt = performance.now() + SLICE_MS;

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Waits for other work, when it is due. */
  async pause(): Promise<void> {
    if (!this.isDue) return;
    await setImmediate();
    this.#dueAt = performance.now() + SLICE_MS;
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

const TOKEN = /\/F(\d+) [-.\d]+ Tf|\/ActualText <([0-9A-Fa-f]*)>|<([0-9A-Fa-f]+)>|\bEMC\b/g;

interface Collecting {
  composite: ReadonlySet<string>;
  found: BoxRuns;
  slices: Slices;
}

/** Reads text objects. Glyphs between `/ActualText` and `EMC` stand for that text. */
async function collect(content: string, { composite, found, slices }: Collecting): Promise<void> {
  if (content.startsWith('/CIDInit') || !content.includes('00')) return;
  const seen = new Set(found.characters);
  let zero = '00';
  let actual: string | undefined;
  for (const [token, font, text, glyphs] of content.matchAll(TOKEN)) {
    if (slices.isDue) await slices.pause();
    if (font !== undefined) zero = composite.has(font) ? '0000' : '00';
    else if (text !== undefined) actual = text;
    else if (token === 'EMC') actual = undefined;
    else if (glyphs !== undefined) {
      const boxes = countAligned(glyphs, zero);
      found.count += boxes;
      if (boxes > 0 && actual === undefined) found.unnamed = true;
      if (boxes > 0 && actual !== undefined) for (const character of decodeText(actual)) seen.add(character);
    }
  }
  found.characters = [...seen];
}

function countAligned(glyphs: string, zero: string): number {
  let count = 0;
  for (let at = 0; at < glyphs.length; at += zero.length) if (glyphs.startsWith(zero, at)) count += 1;
  return count;
}

/** Decodes UTF-16BE with its byte order mark, as Skia writes every text; half a code unit is left out. */
function decodeText(hex: string): string {
  const units = hex.match(/[0-9A-Fa-f]{4}/g) ?? [];
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))).replace(/^\uFEFF/, '');
}
