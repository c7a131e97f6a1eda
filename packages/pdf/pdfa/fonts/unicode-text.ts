import { asDict, decodeStream, Name, PdfStream, type Dict, type PdfDocument } from '../../objects/index.ts';
import { CMap, codeKey, readCMap } from '../../fonts/cmap.ts';
import { writeToUnicode } from '../../fonts/cmap-writer.ts';
import { readFontFile } from '../../fonts/open-program.ts';
import { predefinedCMap, unicodeOfCollection } from '../../fonts/predefined-cmaps.ts';
import { DamagedFont } from '../../fonts/program.ts';
import { namesOf, readEncoding } from '../../fonts/simple-encoding.ts';
import { TrueTypeProgram } from '../../fonts/truetype.ts';
import { unicodeOfName } from '../../fonts/unicode.ts';
import { glyphsOf } from './composite-font.ts';
import type { FontContext } from './font-use.ts';
import { builtInEncoding } from './simple-font.ts';

/** Shown in place of characters whose meaning is unknown. */
const UNKNOWN = '\ufffd';
/** Unicode text that is not allowed (ISO 19005-2 6.2.11.7.2). */
const FORBIDDEN = /[\0\ufeff\ufffe]/;
const LAST_POINT = 0xffff;

/** Returns the keys of the codes of a font in strings, which are Latin-1 text. */
export function shownCodes(font: Dict, strings: Iterable<string>, document: PdfDocument): Set<number> {
  const cmap = font.name('Subtype') === 'Type0' ? cmapOf(font, document) : undefined;
  const codes = new Set<number>();
  for (const text of strings) {
    const bytes = Buffer.from(text, 'latin1');
    if (cmap) for (const key of cmap.codes(bytes)) codes.add(key);
    else for (const byte of bytes) codes.add(codeKey(byte, 1));
  }
  return codes;
}

/** Returns the ToUnicode map of a font. */
export function toUnicodeOf(font: Dict, { budget }: PdfDocument): ReadonlyMap<number, string> {
  const stream = font.get('ToUnicode');
  const data = stream instanceof PdfStream ? decodeStream(stream, budget) : undefined;
  return data ? readCMap(data, () => undefined).unicode : new Map();
}

/** Tells whether a text is allowed as the Unicode text of a character. */
export function isAllowedText(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !FORBIDDEN.test(text);
}

/**
 * Gives a font a ToUnicode map with every shown code. Characters whose meaning is unknown become the replacement character. An existing map
 * is written anew, because readers interpret malformed maps differently.
 */
export function completeToUnicode(
  { font, strings }: { font: Dict; strings: ReadonlySet<string> },
  { document }: FontContext,
): void {
  const own = toUnicodeOf(font, document);
  const codes = shownCodes(font, strings, document);
  const texts = new Map([...own].filter(([, text]) => isAllowedText(text)));
  const isComplete = [...codes].every((key) => texts.has(key));
  const meaning = isComplete ? () => undefined : meaningsOf(font, document);
  for (const key of codes) {
    if (texts.has(key)) continue;
    const text = meaning(key);
    texts.set(key, isAllowedText(text) ? text : UNKNOWN);
  }
  if (texts.size > 0) font.set('ToUnicode', writeToUnicode(texts));
}

/** Returns a function from a code to its Unicode text, as far as it is known without ToUnicode. */
function meaningsOf(font: Dict, document: PdfDocument): (key: number) => string | undefined {
  const composite = font.name('Subtype') === 'Type0';
  const descendant = asDict(font.array('DescendantFonts')?.[0]);
  const file = openFile((descendant ?? font).dict('FontDescriptor'), document);
  if (!composite) {
    const encoding = readEncoding(font);
    const builtIn = file && !(file.program instanceof TrueTypeProgram) ? builtInEncoding(file.program) : [];
    const names = namesOf(encoding, builtIn);
    return (key) => {
      const glyphName = names[key & 0xff];
      return glyphName === undefined ? undefined : unicodeOfName(glyphName);
    };
  }
  const cmap = cmapOf(font, document);
  const ordering = descendant?.dict('CIDSystemInfo')?.string('Ordering')?.key ?? '';
  const collection = unicodeOfCollection(ordering);
  if (collection) return (key) => collection.get(codeKey(cmap?.cid(key) ?? 0, 2));
  if (!descendant || !(file?.program instanceof TrueTypeProgram)) return () => undefined;
  const { program } = file;
  const glyphOf = glyphsOf(descendant, file, document);
  const points = new Map<number, number>();
  for (let point = LAST_POINT; point >= 32; point--) {
    const glyph = program.glyphOfCharacter(point);
    if (glyph !== 0) points.set(glyph, point);
  }
  return (key) => {
    const point = points.get(glyphOf(cmap?.cid(key) ?? 0) ?? 0);
    return point === undefined ? undefined : String.fromCodePoint(point);
  };
}

function openFile(descriptor: Dict | undefined, { budget }: PdfDocument) {
  try {
    return readFontFile(descriptor, budget);
  } catch (error) {
    if (error instanceof DamagedFont || error instanceof RangeError) return undefined;
    throw error;
  }
}

function cmapOf(font: Dict, document: PdfDocument): CMap | undefined {
  const encoding = font.get('Encoding');
  if (encoding instanceof Name) return predefinedCMap(encoding.value);
  const data = encoding instanceof PdfStream ? decodeStream(encoding, document.budget) : undefined;
  return data && readCMap(data, predefinedCMap);
}
