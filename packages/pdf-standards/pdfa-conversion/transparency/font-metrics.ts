import { asDict, Name, resolve, type Dict, type PdfObject } from '@platen/pdf/objects';
import { readMatrix, readRectangle } from './geometry.ts';

/** The extent of text in a font, in units of the font size. */
export interface FontMetrics {
  /** Bytes per character code. */
  codeBytes: 1 | 2;
  /** Returns the advance width of a code; `undefined` if the widths of the font are not known. */
  advance: ((code: number) => number) | undefined;
  /** The lowest and the highest position of glyphs, from the baseline. */
  lowest: number;
  highest: number;
  /** How far glyphs extend beyond their advance width on either side. */
  overhang: number;
  /** Whether glyphs are outlines to fill or stroke, or content streams (Type 3). */
  glyphs: 'outlines' | 'content';
  /** Whether the glyphs are transparent. */
  transparent: boolean;
}

const DEFAULT_LOWEST = -0.35;
const DEFAULT_HIGHEST = 1.05;
/** The largest height above or below the baseline. Some font boxes are far larger than any glyph. */
const MAX_EXTENT = 2;
/** The overhang of fonts with outlines. */
const OVERHANG = 0.2;

/** Reads the extent of text in a font. */
export function readFontMetrics(font: Dict, transparent: boolean): FontMetrics {
  if (font.name('Subtype') === 'Type0') return { ...readComposite(font), transparent };
  if (font.name('Subtype') === 'Type3') return { ...readType3(font), transparent };
  const descriptor = font.dict('FontDescriptor');
  const widths = font.array('Widths');
  const first = font.number('FirstChar') ?? 0;
  const missing = descriptor?.number('MissingWidth') ?? 0;
  return {
    codeBytes: 1,
    // Standard fonts may omit Widths. Their glyphs are at most this wide.
    advance: (code) => (widths ? (numberAt(widths, code - first) ?? missing) : 1000) / 1000,
    ...heights(readRectangle(descriptor?.raw('FontBBox')), 1000),
    overhang: OVERHANG,
    glyphs: 'outlines',
    transparent,
  };
}

function readComposite(font: Dict): Omit<FontMetrics, 'transparent'> {
  const descendant = asDict(font.array('DescendantFonts')?.[0]);
  const encoding = font.get('Encoding');
  // Other encodings have codes of any length or vertical writing.
  const plain = encoding instanceof Name && encoding.value === 'Identity-H';
  const widths = readWidths(descendant?.array('W') ?? []);
  const usual = descendant?.number('DW') ?? 1000;
  const box = readRectangle(descendant?.dict('FontDescriptor')?.raw('FontBBox'));
  return {
    codeBytes: 2,
    advance: plain ? (code) => (widths.get(code) ?? usual) / 1000 : undefined,
    ...heights(box, 1000),
    overhang: OVERHANG,
    glyphs: 'outlines',
  };
}

const MAX_WIDTHS = 70_000;

function readWidths(entries: readonly PdfObject[]): Map<number, number> {
  const widths = new Map<number, number>();
  for (let at = 0; at + 1 < entries.length && widths.size < MAX_WIDTHS;) {
    const first = resolve(entries[at]);
    const second = resolve(entries[at + 1]);
    if (typeof first !== 'number') return widths;
    if (Array.isArray(second)) {
      for (let index = 0; index < second.length; index++)
        widths.set(first + index, numberAt(second, index) ?? 0);
      at += 2;
    } else {
      const last = Math.min(typeof second === 'number' ? second : first, first + MAX_WIDTHS);
      for (let code = first; code <= last; code++) widths.set(code, numberAt(entries, at + 2) ?? 0);
      at += 3;
    }
  }
  return widths;
}

function readType3(font: Dict): Omit<FontMetrics, 'transparent'> {
  const [across, , , up] = readMatrix(font.raw('FontMatrix'));
  const widths = font.array('Widths') ?? [];
  const first = font.number('FirstChar') ?? 0;
  const box = readRectangle(font.raw('FontBBox'));
  const drawn = box && (box[0] !== box[2] || box[1] !== box[3]) ? box : undefined;
  // A width of 0 belongs to a code without a glyph.
  const given = widths.map((width) => Number(resolve(width))).filter((width) => width > 0);
  const least = given.length > 0 ? Math.min(...given) : 0;
  // FontBBox bounds all glyphs, so the narrowest glyph may extend beyond its advance by the difference in
  // width.
  const reach = drawn ? Math.max(-drawn[0] * across, (drawn[2] - least) * across, 0) : MAX_EXTENT;
  const ends = drawn ? [drawn[1] * up, drawn[3] * up] : [-MAX_EXTENT, MAX_EXTENT];
  return {
    codeBytes: 1,
    advance: (code) => (numberAt(widths, code - first) ?? 0) * across,
    lowest: Math.min(...ends),
    highest: Math.max(...ends),
    overhang: reach,
    glyphs: 'content',
  };
}

function heights(box: readonly number[] | undefined, unit: number): { lowest: number; highest: number } {
  const [, bottom = 0, , top = 0] = box ?? [];
  return {
    lowest: Math.max(Math.min(bottom / unit, DEFAULT_LOWEST), -MAX_EXTENT),
    highest: Math.min(Math.max(top / unit, DEFAULT_HIGHEST), MAX_EXTENT),
  };
}

function numberAt(items: readonly PdfObject[], index: number): number | undefined {
  const value = resolve(items[index]);
  return typeof value === 'number' ? value : undefined;
}
