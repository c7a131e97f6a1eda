import { n } from './widget-frame.ts';
import { encodeFor, measure, type TextFont } from './text-font.ts';

/** The minimum font size, and the maximum automatic size of multi-line text, as in readers. */
export const AUTO_SIZE = { min: 4, maxOfLines: 12 };
/** Line height, and the extent above and below the baseline, relative to the font size. */
const LEADING = 1.15;
const ASCENT = 0.72;
const DESCENT = -0.21;
/** The extent of capital letters with accents above the baseline. */
const ACCENT = 0.95;
/** The minimum height of a single-line box relative to the font size. */
export const LINE_BOX = 1.3;

/** Text to lay out in a box. */
export interface TextLayout {
  text: string;
  /** The font size in points. With 0 the size depends on the box. */
  size: number;
  align: 0 | 1 | 2;
  mode: { kind: 'line' } | { kind: 'lines' } | { kind: 'comb'; cells: number };
  /** The size of the box in points. */
  width: number;
  height: number;
}

/**
 * Returns the maximum font size: the size that the field specifies, or a size that fits the height of the
 * box.
 */
export function maxSize({ size, mode, height }: Pick<TextLayout, 'size' | 'mode' | 'height'>): number {
  if (size > 0) return size;
  const byHeight = Math.max(height / LINE_BOX, AUTO_SIZE.min);
  return mode.kind === 'lines' ? Math.min(AUTO_SIZE.maxOfLines, byHeight) : byHeight;
}

/**
 * Lays out text, relative to the lower left corner of the box. Returns the operators between BT and ET,
 * without font and color. Returns `undefined` if the font lacks a character.
 */
export function layOut(layout: TextLayout, font: TextFont): { size: number; operators: string } | undefined {
  const text = layout.text.normalize('NFC').replaceAll('\t', ' ');
  switch (layout.mode.kind) {
    case 'comb':
      return layOutComb({ ...layout, text }, font, layout.mode.cells);
    case 'lines':
      return layOutLines({ ...layout, text }, font);
    case 'line': {
      const bytes = encodeFor(font, text.replaceAll('\n', ' '));
      if (!bytes) return undefined;
      const width = measure(font, bytes);
      const size = shrink(
        maxSize(layout),
        (points) => width * points <= layout.width && fitsHeight(layout, text, points),
      );
      const y = (layout.height - (ASCENT + DESCENT) * size) / 2;
      return { size, operators: show(aligned(layout, width * size), y, bytes) };
    }
  }
}

function layOutComb(layout: TextLayout, font: TextFont, cells: number): ReturnType<typeof layOut> {
  const bytes = encodeFor(font, layout.text.replaceAll('\n', ' '));
  if (!bytes) return undefined;
  const cell = layout.width / cells;
  const widest = Math.max(...Array.from(bytes, (code) => measure(font, Uint8Array.of(code))), 0.01);
  const size = shrink(
    maxSize(layout),
    (points) => widest * points <= cell * 1.05 && fitsHeight(layout, layout.text, points),
  );
  const free = Math.max(cells - bytes.length, 0);
  const first = [0, Math.floor(free / 2), free][layout.align] ?? 0;
  const y = (layout.height - (ASCENT + DESCENT) * size) / 2;
  let operators = '';
  for (const [index, code] of bytes.entries()) {
    const byte = Uint8Array.of(code);
    const x = (first + index + 0.5) * cell - (measure(font, byte) * size) / 2;
    operators += show(x, y, byte);
  }
  return { size, operators };
}

/**
 * Tells whether a single line, which is centred between ascent and descent, fits in the height of the box.
 */
function fitsHeight({ height }: TextLayout, text: string, size: number): boolean {
  const ascent = /[\u00c0-\u00d6\u00d8-\u00de\u0160\u0178\u017d]/.test(text) ? ACCENT : ASCENT;
  const above = ascent - (ASCENT + DESCENT) / 2;
  return above * size <= height / 2;
}

function layOutLines(layout: TextLayout, font: TextFont): ReturnType<typeof layOut> {
  const paragraphs: Uint8Array[] = [];
  for (const paragraph of layout.text.split('\n')) {
    const bytes = encodeFor(font, paragraph);
    if (!bytes) return undefined;
    paragraphs.push(bytes);
  }
  const wrap = (size: number) => paragraphs.flatMap((bytes) => wrapLine(bytes, font, layout.width / size));
  const fits = (size: number) => wrap(size).length * LEADING * size <= layout.height + 0.01;
  const size = shrink(maxSize(layout), fits);
  let y = layout.height - ASCENT * size - (LEADING - ASCENT + DESCENT) * 0.5 * size;
  let operators = '';
  for (const line of wrap(size)) {
    if (line.length > 0) operators += show(aligned(layout, measure(font, line) * size), y, line);
    y -= LEADING * size;
  }
  return { size, operators };
}

const SPACE = 32;

/**
 * Breaks a paragraph into lines at spaces. Splits words that are wider than a line. `width` is relative to
 * the font size.
 */
function wrapLine(bytes: Uint8Array, font: TextFont, width: number): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  let used = 0;
  let space = -1;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    const advance = (font.widths[code - 32] ?? 0) / 1000;
    if (code === SPACE) space = at;
    else if (used + advance > width && at > start) {
      const end = space > start ? space : at;
      lines.push(bytes.subarray(start, end));
      start = space > start ? space + 1 : at;
      used = measure(font, bytes.subarray(start, at));
      space = -1;
    }
    used += advance;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

/**
 * Finds the largest size at which the text fits, to a tenth of a point. Returns the minimum size if none
 * fits.
 */
function shrink(largest: number, fits: (size: number) => boolean): number {
  if (fits(largest)) return largest;
  let [fitting, tooLarge] = [Math.min(AUTO_SIZE.min, largest), largest];
  while (tooLarge - fitting > 0.1) {
    const middle = (fitting + tooLarge) / 2;
    if (fits(middle)) fitting = middle;
    else tooLarge = middle;
  }
  return Math.floor(fitting * 100) / 100;
}

function aligned({ align, width }: TextLayout, used: number): number {
  // Text that is too wide starts at the left edge.
  return Math.max([0, (width - used) / 2, width - used][align] ?? 0, 0);
}

function show(x: number, y: number, bytes: Uint8Array): string {
  return `1 0 0 1 ${n(x)} ${n(y)} Tm <${Buffer.from(bytes).toString('hex')}> Tj\n`;
}
