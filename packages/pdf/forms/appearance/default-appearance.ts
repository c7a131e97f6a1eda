/** The text properties in a default appearance string (ISO 32000-1 12.7.3.3). */
interface DefaultAppearance {
  /** The resource name of the font as a Latin-1 string, or `undefined` if it is missing. */
  font: string | undefined;
  /** The size in points. With 0 the size depends on the box. */
  size: number;
  color: Color;
}

/** The components of a color: one for gray, three for RGB, four for CMYK. */
export type Color = readonly number[];

const BLACK: Color = [0];
const MAX_SIZE_PT = 1_000;
const COLOR_OPERANDS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };

/** Reads a default appearance string. Missing or malformed values default to black, no font, and size 0. */
export function readDefaultAppearance(text: string): DefaultAppearance {
  const read: DefaultAppearance = { font: undefined, size: 0, color: BLACK };
  let operands: string[] = [];
  for (const [token] of text.matchAll(/\/[^\s()<>[\]{}/%]*|[+-]?(?:\d+\.?\d*|\.\d+)|[A-Za-z'"*]+/g)) {
    if (!/^[A-Za-z'"*]/.test(token)) {
      operands.push(token);
      continue;
    }
    if (token === 'Tf') {
      const [font, size] = operands.slice(-2);
      const points = Math.abs(Number(size));
      if (font?.startsWith('/')) read.font = unescapeName(font.slice(1));
      read.size = points <= MAX_SIZE_PT ? points : 0;
    }
    const count = COLOR_OPERANDS[token];
    const color = operands.slice(-(count ?? 1)).map(Number);
    if (count === color.length && color.every((part) => part >= 0 && part <= 1)) read.color = color;
    operands = [];
  }
  return read;
}

function unescapeName(text: string): string {
  return text.replaceAll(/#([0-9a-f]{2})/gi, (_: string, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Returns the operator that sets a fill or stroke color. */
export function colorOperator(color: Color, use: 'fill' | 'line'): string {
  const operator = { 1: 'g', 3: 'rg', 4: 'k' }[color.length] ?? 'g';
  return `${color.join(' ')} ${use === 'fill' ? operator : operator.toUpperCase()}`;
}

/** Converts a color to red, green and blue, from 0 to 1. */
export function toRgb(color: Color): [number, number, number] {
  const [a = 0, b = a, c = a, black] = color;
  return black === undefined
    ? [a, b, c]
    : [(1 - a) * (1 - black), (1 - b) * (1 - black), (1 - c) * (1 - black)];
}
