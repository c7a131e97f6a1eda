import { Dict, name, Name, Ref, resolve, type Direct, type PdfObject } from '../../objects/index.ts';
import { STANDARD_WIDTHS } from './standard-widths.ts';

/** A font style in terms of generic font families. */
export interface FontStyle {
  family: 'sans' | 'serif' | 'mono';
  bold: boolean;
  italic: boolean;
}

/** A font for text in WinAnsiEncoding. */
export interface TextFont {
  /** The font object for the resources of an appearance. */
  resource: PdfObject;
  /** Glyph widths in thousandths of the font size, by code. */
  widths: readonly number[];
  style: FontStyle;
}

const FIRST_CODE = 32;
const STANDARD_NAMES: Record<FontStyle['family'], readonly [string, string, string, string]> = {
  sans: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  serif: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  mono: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
};
const courier = Array.from({ length: 224 }, () => 600);
const standardFonts = new Map<string, TextFont>();

/**
 * Chooses the font of a field: the named font if it certainly uses WinAnsiEncoding, or else the closest
 * standard font.
 */
export function chooseFont(named: string | undefined, resources: readonly (Dict | undefined)[]): TextFont {
  let found: PdfObject | undefined;
  if (named !== undefined) for (const each of resources) found ??= each?.dict('Font')?.raw(named);
  const dict = resolve(found);
  const font = dict instanceof Dict ? dict : undefined;
  const style = styleOf(`${named ?? ''} ${font?.name('BaseFont') ?? ''}`);
  const widths = font && winAnsiWidths(font);
  if (widths && found) return { resource: found, widths, style };
  return standardFont(style);
}

function styleOf(names: string): FontStyle {
  const mono = /cour|mono|consol|typewriter/i.test(names);
  const serif = /tiro|tibo|tiit|tibi|times|serif|georgia|garamond|roman|minion|palatino|cambria|bookman/i;
  return {
    family: mono ? 'mono' : serif.test(names) && !/sans/i.test(names) ? 'serif' : 'sans',
    bold: /bold|black|heavy|hebo|cobo|tibo|hebi|cobi|tibi/i.test(names),
    italic: /ital|obli|heob|coob|tiit|hebi|cobi|tibi/i.test(names),
  };
}

function standardFont(style: FontStyle): TextFont {
  const baseFont = STANDARD_NAMES[style.family][(style.bold ? 1 : 0) + (style.italic ? 2 : 0)] ?? 'Helvetica';
  const known = standardFonts.get(baseFont);
  if (known) return known;
  const upright = baseFont.replace(/^(Helvetica.*)Oblique$/, (_, helvetica: string) =>
    helvetica.replace(/-$/, ''),
  );
  const widths = (STANDARD_WIDTHS as Record<string, readonly number[]>)[upright] ?? courier;
  const resource = Dict.of({
    Type: name('Font'),
    Subtype: name('Type1'),
    BaseFont: name(baseFont),
    Encoding: name('WinAnsiEncoding'),
  });
  const font = { resource, widths, style };
  standardFonts.set(baseFont, font);
  return font;
}

/**
 * Returns the widths of a font that certainly uses WinAnsiEncoding and has its ASCII characters; otherwise
 * `undefined`.
 */
function winAnsiWidths(font: Dict): readonly number[] | undefined {
  const type = font.name('Subtype');
  if (type !== 'TrueType' && type !== 'Type1' && type !== 'MMType1') return undefined;
  // Any character may be missing from a subset.
  if (/^[A-Z]{6}\+/.test(font.name('BaseFont') ?? '')) return undefined;
  if (!isWinAnsi(font.get('Encoding'))) return undefined;
  const first = font.number('FirstChar') ?? 0;
  const given = font.array('Widths');
  if (!given || first > FIRST_CODE || first < 0) return undefined;
  const widths = given.slice(FIRST_CODE - first).map((item) => resolve(item));
  const numbers = widths.map((width) => (typeof width === 'number' ? width : 0));
  return numbers.length >= 95 && numbers.slice(1, 95).every((width) => width > 0) ? numbers : undefined;
}

function isWinAnsi(encoding: Direct | undefined): boolean {
  if (encoding instanceof Name) return encoding.value === 'WinAnsiEncoding';
  if (!(encoding instanceof Dict)) return false;
  return (
    encoding.name('BaseEncoding') === 'WinAnsiEncoding' && (encoding.array('Differences') ?? []).length === 0
  );
}

/** Makes one indirect object for each font of a document, which its fields share. */
export class FontRefs {
  readonly #refs = new Map<PdfObject, Ref>();

  refer({ resource }: TextFont): PdfObject {
    if (!(resource instanceof Dict)) return resource;
    const known = this.#refs.get(resource);
    if (known) return known;
    // Fonts are shared by documents, and a conversion to PDF/A embeds a subset for one of them.
    const made = Ref.to(resource.copy());
    this.#refs.set(resource, made);
    return made;
  }
}

const HIGH = Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ');
const codes = new Map<string, number>();
for (let code = FIRST_CODE; code < 127; code++) codes.set(String.fromCharCode(code), code);
for (let code = 160; code < 256; code++) codes.set(String.fromCharCode(code), code);
for (const [index, character] of HIGH.entries())
  if (!/[\u0080-\u009f]/.test(character)) codes.set(character, 128 + index);

/** Encodes text for a font. Returns `undefined` if the font lacks a character. */
export function encodeFor({ widths }: TextFont, text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = codes.get(text.charAt(index));
    // A soft hyphen is visible only at the end of a line.
    if (code === undefined || code === 173 || !((widths[code - FIRST_CODE] ?? 0) > 0)) return undefined;
    bytes[index] = code;
  }
  return bytes;
}

/** Returns the width of encoded text relative to the font size. */
export function measure({ widths }: TextFont, bytes: Uint8Array): number {
  let width = 0;
  for (const code of bytes) width += widths[code - FIRST_CODE] ?? 0;
  return width / 1000;
}
