import { n } from './frame.ts';
import { encodeFor, measure, type TextFont } from './text-font.ts';

/** The smallest size that text is shrunk to, and the largest that text of several lines gets by itself; as in readers. */
export const AUTO_SIZE = { min: 4, maxOfLines: 12 };
/** Of a line, in sizes of the font; and of what is above and below its baseline. */
const LEADING = 1.15;
const ASCENT = 0.72;
const DESCENT = -0.21;
/** How much higher than its text a box of one line is, at least. */
const LINE_BOX = 1.3;

/** How text stands in a box. */
export interface TextLayout {
  text: string;
  /** 0 lets it follow the box. */
  size: number;
  align: 0 | 1 | 2;
  mode: { kind: 'line' } | { kind: 'lines' } | { kind: 'comb'; cells: number };
  /** Points, of the box that the text has. */
  width: number;
  height: number;
}

/** The largest size that a text gets: what the field says, or what one of its height has. */
export function maxSize({ size, mode, height }: Pick<TextLayout, 'size' | 'mode' | 'height'>): number {
  if (size > 0) return size;
  const byHeight = Math.max(height / LINE_BOX, AUTO_SIZE.min);
  return mode.kind === 'lines' ? Math.min(AUTO_SIZE.maxOfLines, byHeight) : byHeight;
}

/**
 * Lays out text in a font, from the lower left corner of its box: operators between BT and ET, without font and colour.
 * `undefined` when the font does not have all of it.
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
      const size = shrink(maxSize(layout), (points) => width * points <= layout.width);
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
  const size = shrink(maxSize(layout), (points) => widest * points <= cell * 1.05);
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

/** Breaks a paragraph into lines, at spaces, and inside a word that is wider than a line; `width` is in sizes of the font. */
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

/** Finds the largest size, to a tenth of a point, at which text fits; the smallest when none does. */
function shrink(largest: number, fits: (size: number) => boolean): number {
  if (fits(largest)) return largest;
  let [good, bad] = [Math.min(AUTO_SIZE.min, largest), largest];
  while (bad - good > 0.1) {
    const middle = (good + bad) / 2;
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return Math.floor(good * 100) / 100;
}

function aligned({ align, width }: TextLayout, used: number): number {
  // What does not fit begins where it is read first.
  return Math.max([0, (width - used) / 2, width - used][align] ?? 0, 0);
}

function show(x: number, y: number, bytes: Uint8Array): string {
  return `1 0 0 1 ${n(x)} ${n(y)} Tm <${Buffer.from(bytes).toString('hex')}> Tj\n`;
}
