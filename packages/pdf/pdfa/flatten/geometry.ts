import { resolve, type PdfObject, type Box } from '../../objects/index.ts';

/** The six numbers of a transformation (ISO 32000-1 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** Leaves everything where it is. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Has room for nothing; joined to another box it gives that one. */
export const NOWHERE: Box = [Infinity, Infinity, -Infinity, -Infinity];

/** Has room for everything. */
export const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity];

/** Makes the transformation that does the first and then the second. */
export function concat(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [k, l, m, n, o, p] = second;
  return [a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p];
}

/** Makes the transformation that undoes one; `undefined` for one that leaves no area. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (!Number.isFinite(1 / area)) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** How many times as long a length can become. */
export function stretch([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a + c, b + d), Math.hypot(a - c, b - d));
}

/** The box around a point that is transformed. */
export function around([a, b, c, d, e, f]: Matrix, x: number, y: number): Box {
  const [across, up] = [a * x + c * y + e, b * x + d * y + f];
  return [across, up, across, up];
}

/** The box around a box that is transformed. */
export function transform(matrix: Matrix, [left, bottom, right, top]: Box): Box {
  return [
    around(matrix, left, bottom),
    around(matrix, right, bottom),
    around(matrix, left, top),
    around(matrix, right, top),
  ].reduce(join);
}

/** The box around both. */
export function join(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** What lies in both; not a number anywhere counts as everywhere. */
export function meet(one: Box, other: Box): Box {
  return [
    Math.max(one[0], numberOr(other[0], -Infinity)),
    Math.max(one[1], numberOr(other[1], -Infinity)),
    Math.min(one[2], numberOr(other[2], Infinity)),
    Math.min(one[3], numberOr(other[3], Infinity)),
  ];
}

function numberOr(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value;
}

/** Tells whether a box is more than nothing. A line is: it may be stroked. */
export function exists([left, bottom, right, top]: Box): boolean {
  return left <= right && bottom <= top;
}

/** Tells whether two boxes share anything. */
export function overlap(one: Box, other: Box): boolean {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
}

/** The box with a margin all around. */
export function grow([left, bottom, right, top]: Box, margin: number): Box {
  return [left - margin, bottom - margin, right + margin, top + margin];
}

/** How much room a box has. */
export function areaOf([left, bottom, right, top]: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** Reads a matrix, such as a form's; {@link IDENTITY} for what is none. */
export function readMatrix(value: PdfObject | undefined): Matrix {
  const numbers = readNumbers(value);
  return numbers.length >= 6 ? (numbers.slice(0, 6) as unknown as Matrix) : IDENTITY;
}

/** Reads a rectangle, its corners in any order; `undefined` for what is none. */
export function readRectangle(value: PdfObject | undefined): Box | undefined {
  const [a, b, c, d] = readNumbers(value);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function readNumbers(value: PdfObject | undefined): number[] {
  const items = resolve(value);
  if (!Array.isArray(items)) return [];
  const numbers = items.map((item) => resolve(item));
  return numbers.every((item): item is number => typeof item === 'number') ? numbers : [];
}
