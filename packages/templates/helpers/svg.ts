import Handlebars from 'handlebars';
import { optionOf } from './arguments.ts';
import { reject, type HelperCall } from './definition.ts';

/** CSS pixels in a millimetre. */
export const PX_PER_MM = 96 / 25.4;

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: PX_PER_MM,
  cm: 10 * PX_PER_MM,
  in: 96,
};
const LENGTH = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})(px|pt|pc|mm|cm|in)?$/;
const MIN_PX = 1;
const MAX_PX = 20_000;
const COLOR = /^(?:#(?:[\da-f]{3}|[\da-f]{6})|[a-z]{3,20}|(?:rgb|hsl)\([\d\s.,%]{1,40}\))$/i;

/** A length in CSS pixels, and its text for an attribute. */
export interface Length {
  px: number;
  text: string;
}

/** Reads a length option: a number of CSS pixels, or text with an absolute CSS unit. @throws {HelperFault} */
export function lengthOption(call: HelperCall, name: string): Length | undefined {
  const value = optionOf(call, name);
  if (value === undefined) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  const [, number, unit = 'px'] = (typeof text === 'string' && LENGTH.exec(text)) || [];
  const px = Number(number) * (PX_PER_UNIT[unit] ?? 1);
  if (!(px >= MIN_PX && px <= MAX_PX)) reject(`${name}= as a length such as 120, "30mm" or "1.5in"`, value);
  return { px, text: `${Number(number)}${unit}` };
}

/** Creates a length in CSS pixels. */
export function pixels(px: number): Length {
  const rounded = Math.round(px * 100) / 100;
  return { px: rounded, text: `${rounded}px` };
}

/** Reads a colour option as `#rrggbb`, or null for `none` and `transparent`. @throws {HelperFault} */
export function colorOption(call: HelperCall, name: string): string | null | undefined {
  const value = optionOf(call, name);
  if (value === undefined) return undefined;
  if (value === 'none' || value === 'transparent') return null;
  const hex = typeof value === 'string' && COLOR.test(value) ? Bun.color(value, 'hex') : null;
  return hex ?? reject(`${name}= as a CSS colour such as "#1a2b3c" or "navy"`, value);
}

/** The size of a drawing, and optionally its text alternative. */
interface SvgProperties {
  width: Length;
  height: Length;
  viewBox: readonly [number, number];
  label?: string | undefined;
  /**
   * Whether the drawing has exactly its size, even if that changes its proportions. Otherwise Chromium also
   * clips up to half a pixel at the edges.
   */
  isExact?: boolean;
}

/** Creates inline SVG. `content` must be trusted markup. */
export function svg(
  content: string,
  { width, height, viewBox, label, isExact = false }: SvgProperties,
): string {
  const alternative =
    label === undefined ? '' : ` role="img" aria-label="${Handlebars.Utils.escapeExpression(label)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width.text}" height="${height.text}" viewBox="0 0 ${viewBox.join(' ')}"${isExact ? ' preserveAspectRatio="none" overflow="visible"' : ''}${alternative}>${content}</svg>`;
}
