import { asDict, Name, resolve, type Dict, type PdfObject } from '../../objects/index.ts';
import { readMatrix, readRectangle } from './geometry.ts';

/** How much room text of a font takes, in units of its size. */
export interface FontMetrics {
  /** Bytes of a character code. */
  codeBytes: 1 | 2;
  /** How far a code moves on; `undefined` when that cannot be told. */
  advance: ((code: number) => number) | undefined;
  lowest: number;
  highest: number;
  /** How far letters reach out of their advance to either side. */
  overhang: number;
  /** Letters are shapes that text is filled or stroked with, or drawings of their own (Type 3). */
  glyphs: 'shapes' | 'drawn';
  /** Whether its letters are seen through. */
  seenThrough: boolean;
}

const LEAST_LOW = -0.35;
const LEAST_HIGH = 1.05;
/** Some fonts say how large any letter of any script can be. */
const MOST = 2;
const OVERHANG = 0.2;

/** Reads the room that text of a font takes. */
export function readFontMetrics(font: Dict, seenThrough: boolean): FontMetrics {
  if (font.name('Subtype') === 'Type0') return { ...readComposite(font), seenThrough };
  if (font.name('Subtype') === 'Type3') return { ...readType3(font), seenThrough };
  const descriptor = font.dict('FontDescriptor');
  const widths = font.array('Widths');
  const first = font.number('FirstChar') ?? 0;
  const missing = descriptor?.number('MissingWidth') ?? 0;
  return {
    codeBytes: 1,
    // The standard fonts have no widths; none is wider than this.
    advance: (code) => (widths ? (numberAt(widths, code - first) ?? missing) : 1000) / 1000,
    ...heights(readRectangle(descriptor?.raw('FontBBox')), 1000),
    overhang: OVERHANG,
    glyphs: 'shapes',
    seenThrough,
  };
}

function readComposite(font: Dict): Omit<FontMetrics, 'seenThrough'> {
  const descendant = asDict(font.array('DescendantFonts')?.[0]);
  const encoding = font.get('Encoding');
  // Other encodings have codes of any length, and vertical text goes another way.
  const plain = encoding instanceof Name && encoding.value === 'Identity-H';
  const widths = readWidths(descendant?.array('W') ?? []);
  const usual = descendant?.number('DW') ?? 1000;
  const box = readRectangle(descendant?.dict('FontDescriptor')?.raw('FontBBox'));
  return {
    codeBytes: 2,
    advance: plain ? (code) => (widths.get(code) ?? usual) / 1000 : undefined,
    ...heights(box, 1000),
    overhang: OVERHANG,
    glyphs: 'shapes',
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

function readType3(font: Dict): Omit<FontMetrics, 'seenThrough'> {
  const [across, , , up] = readMatrix(font.raw('FontMatrix'));
  const widths = font.array('Widths') ?? [];
  const first = font.number('FirstChar') ?? 0;
  const box = readRectangle(font.raw('FontBBox'));
  const drawn = box && (box[0] !== box[2] || box[1] !== box[3]) ? box : undefined;
  // A width of 0 is one of a code that has no glyph.
  const given = widths.map((width) => Number(resolve(width))).filter((width) => width > 0);
  const least = given.length > 0 ? Math.min(...given) : 0;
  // A glyph begins at its place, and ends as far behind its advance as the box of all is wider.
  const reach = drawn ? Math.max(-drawn[0] * across, (drawn[2] - least) * across, 0) : MOST;
  const ends = drawn ? [drawn[1] * up, drawn[3] * up] : [-MOST, MOST];
  return {
    codeBytes: 1,
    advance: (code) => (numberAt(widths, code - first) ?? 0) * across,
    lowest: Math.min(...ends),
    highest: Math.max(...ends),
    overhang: reach,
    glyphs: 'drawn',
  };
}

function heights(box: readonly number[] | undefined, unit: number): { lowest: number; highest: number } {
  const [, bottom = 0, , top = 0] = box ?? [];
  return {
    lowest: Math.max(Math.min(bottom / unit, LEAST_LOW), -MOST),
    highest: Math.min(Math.max(top / unit, LEAST_HIGH), MOST),
  };
}

function numberAt(items: readonly PdfObject[], index: number): number | undefined {
  const value = resolve(items[index]);
  return typeof value === 'number' ? value : undefined;
}
