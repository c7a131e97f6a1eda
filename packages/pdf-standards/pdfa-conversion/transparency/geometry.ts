import { resolve, type PdfObject, type Box } from '@platen/pdf/objects';

/** The six numbers of a transformation matrix (ISO 32000-1 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The empty box. {@link join} with it returns the other box. */
export const NOWHERE: Box = [Infinity, Infinity, -Infinity, -Infinity];

/** The unbounded box. */
export const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity];

/** Returns the transformation that applies the first matrix and then the second. */
export function concat(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [k, l, m, n, o, p] = second;
  return [a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p];
}

/** Inverts a matrix. Returns `undefined` if it is singular. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (!Number.isFinite(1 / area)) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Returns an upper bound for the factor by which a matrix scales lengths. */
export function maxScale([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a + c, b + d), Math.hypot(a - c, b - d));
}

/** Returns the box of a transformed point. */
export function pointBox([a, b, c, d, e, f]: Matrix, x: number, y: number): Box {
  const [across, up] = [a * x + c * y + e, b * x + d * y + f];
  return [across, up, across, up];
}

/** Returns the bounding box of a transformed box. */
export function transform(matrix: Matrix, [left, bottom, right, top]: Box): Box {
  return [
    pointBox(matrix, left, bottom),
    pointBox(matrix, right, bottom),
    pointBox(matrix, left, top),
    pointBox(matrix, right, top),
  ].reduce(join);
}

/** Returns the bounding box of two boxes. */
export function join(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** Returns the intersection of two boxes. NaN in the second box counts as unbounded. */
export function intersection(one: Box, other: Box): Box {
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

/**
 * Tells whether a box is not empty. A box without a width or a height is not empty, because a stroked line
 * has one.
 */
export function exists([left, bottom, right, top]: Box): boolean {
  return left <= right && bottom <= top;
}

export function overlap(one: Box, other: Box): boolean {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
}

/** Extends a box by a margin on all sides. */
export function grow([left, bottom, right, top]: Box, margin: number): Box {
  return [left - margin, bottom - margin, right + margin, top + margin];
}

export function areaOf([left, bottom, right, top]: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** Reads a matrix. Returns {@link IDENTITY} for any other object. */
export function readMatrix(value: PdfObject | undefined): Matrix {
  const numbers = readNumbers(value);
  return numbers.length >= 6 ? (numbers.slice(0, 6) as unknown as Matrix) : IDENTITY;
}

/** Reads a rectangle with its corners in any order. Returns `undefined` for any other object. */
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
