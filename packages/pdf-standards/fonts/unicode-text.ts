import { asDict, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { codeKey } from '@platen/pdf/fonts';
import { writeToUnicode } from '@platen/pdf/fonts';
import { cmapOf, toUnicodeOf } from '@platen/pdf/fonts';
import { readFontFile } from '@platen/pdf/fonts';
import { unicodeOfCollection } from '@platen/pdf/fonts';
import { DamagedFont } from '@platen/pdf/fonts';
import { namesOf, readEncoding } from '@platen/pdf/fonts';
import { TrueTypeProgram } from '@platen/pdf/fonts';
import { unicodeOfName } from '@platen/pdf/fonts';
import { glyphsOf } from './composite-font.ts';
import type { FontContext } from './font-use.ts';
import { builtInEncoding } from './simple-font.ts';

/** The Unicode text of characters whose text is unknown. */
const UNKNOWN = '\ufffd';
/** Characters that are not allowed in Unicode text (ISO 19005-2 6.2.11.7.2). */
const FORBIDDEN = /[\0\ufeff\ufffe]/;
/** The last code point that is looked up in the character maps of a program. */
const LAST_POINT = 0xffff;

/**
 * Returns the keys of the codes in strings that are shown in a font. Each byte of a string is a Latin-1
 * character.
 */
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

/** Tells whether a character has Unicode text that is allowed. */
export function isAllowedText(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !FORBIDDEN.test(text);
}

/**
 * Completes the ToUnicode map of a font with every shown code. Maps codes whose text is unknown to the
 * replacement character. Always rewrites the map, because readers interpret malformed maps differently.
 */
export function completeToUnicode(
  { font, strings }: { font: Dict; strings: ReadonlySet<string> },
  { document }: FontContext,
): void {
  const existing = toUnicodeOf(font, document);
  const codes = shownCodes(font, strings, document);
  const texts = new Map([...existing].filter(([, text]) => isAllowedText(text)));
  const isComplete = [...codes].every((key) => texts.has(key));
  const meaning = isComplete ? () => undefined : meaningsOf(font, document);
  for (const key of codes) {
    if (texts.has(key)) continue;
    const text = meaning(key);
    texts.set(key, isAllowedText(text) ? text : UNKNOWN);
  }
  if (texts.size > 0) font.set('ToUnicode', writeToUnicode(texts));
}

/**
 * Returns a function from a code key to the Unicode text of the code. It returns `undefined` if only a
 * ToUnicode map would tell the text.
 */
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
