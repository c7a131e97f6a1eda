import { compressedStream, name, PdfString, type Dict, type PdfObject, type Ref } from '../objects/index.ts';

// The flags of a font descriptor (ISO 32000-1 table 123).
const FIXED_PITCH = 1;
const SERIF = 2;
/** The flag of a font with characters outside the standard Latin character set. */
export const SYMBOLIC = 4;
/** The flag of a font that is not symbolic. */
export const NONSYMBOLIC = 32;
const ITALIC = 64;
const FORCE_BOLD = 1 << 18;

/** Removes the subset tag from a font name. */
export function plainName(font: string): string {
  return font.replace(/^[A-Z]{6}\+/, '');
}

/** Replaces the subset tag of a font name, or adds one. Each number has its own tag. */
export function subsetName(font: string, number: number): string {
  let rest = number;
  let tag = '';
  for (let index = 0; index < 6; index++) {
    tag += String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return `${tag}+${plainName(font)}`;
}

export interface Style {
  serif: boolean;
  fixedPitch: boolean;
  bold: boolean;
  italic: boolean;
}

/** Guesses the style of a font from its name and its descriptor. */
export function styleOf(font: string, descriptor: Dict | undefined): Style {
  const flags = descriptor?.number('Flags') ?? 0;
  const has = (bit: number): boolean => (flags & bit) !== 0;
  const sans = /sans|arial|helvetic|gothic|verdana|tahoma|calibri|univers|frutiger|futura|myriad/i.test(font);
  return {
    serif:
      !sans &&
      (has(SERIF) || /times|roman|serif|georgia|garamond|palatino|book|century|mincho|ming|song/i.test(font)),
    fixedPitch: has(FIXED_PITCH) || /courier|mono|consol|typewriter|fixed/i.test(font),
    bold: has(FORCE_BOLD) || /bold|black|heavy|demi/i.test(font) || (descriptor?.number('StemV') ?? 0) > 140,
    italic:
      has(ITALIC) || /italic|oblique|slanted/i.test(font) || (descriptor?.number('ItalicAngle') ?? 0) !== 0,
  };
}

/**
 * Adds the missing required entries to a font descriptor (ISO 32000-1 table 122), with usual values, and sets
 * its font name.
 */
export function completeDescriptor(descriptor: Dict, fontName: string, style: Style): Dict {
  const flags =
    (style.fixedPitch ? FIXED_PITCH : 0) |
    (style.serif ? SERIF : 0) |
    (style.italic ? ITALIC : 0) |
    NONSYMBOLIC;
  const defaults: Record<string, PdfObject> = {
    Flags: flags,
    FontBBox: [-200, -250, 1200, 1000],
    ItalicAngle: style.italic ? -12 : 0,
    Ascent: 900,
    Descent: -250,
    CapHeight: 700,
    StemV: style.bold ? 140 : 80,
  };
  for (const [key, value] of Object.entries(defaults))
    if (key === 'FontBBox' ? descriptor.array(key)?.length !== 4 : descriptor.number(key) === undefined)
      descriptor.set(key, value);
  return descriptor.set('Type', name('FontDescriptor')).set('FontName', name(fontName));
}

/** Builds the value of `CharSet`, a list of the glyph names except `.notdef`. */
export function charSet(names: Iterable<string>): PdfString {
  let text = '';
  for (const glyph of names)
    if (glyph !== '.notdef') text += `/${glyph.replaceAll(/[^!-~]|[#()<>[\]{}/%]/g, escapeCharacter)}`;
  return new PdfString(Buffer.from(text, 'latin1'));
}

function escapeCharacter(character: string): string {
  return `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Builds the `CIDSet` stream: one bit per CID, the most significant bit of each byte first. */
export function cidSet(cids: Iterable<number>): Ref {
  const bits = new Uint8Array(8192);
  let last = 0;
  for (const cid of cids) {
    bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (128 >> (cid & 7));
    last = Math.max(last, cid >> 3);
  }
  return compressedStream(bits.subarray(0, last + 1));
}
