import type { Matrix } from './geometry.ts';
import { LIMITS } from '../../limits/limits.ts';

const DIGITS = 6;

/**
 * Writes `cm` operators that undo a matrix and so restore the coordinate system before it. The numbers of the
 * inverse matrix can be beyond the range of reals, because Google Slides draws in units of 1/127 point. The
 * operators therefore undo the scale and the translation separately. Returns an empty text for a matrix
 * without an inverse.
 */
export function undoMatrix([a, b, c, d, e, f]: Matrix): string {
  const determinant = a * d - b * c;
  const linear = [d, -b, -c, a, 0, 0].map((value) => value / determinant) as unknown as Matrix;
  if (!linear.every(Number.isFinite)) return '';
  return `${concatenate(linear)}${concatenate([1, 0, 0, 1, -e, -f])}`;
}

/**
 * Writes a matrix as `cm` operators whose numbers are within the limits: reals and, for a long translation,
 * integers.
 */
function concatenate([a, b, c, d, e, f]: Matrix): string {
  const [x, y] = [wholePart(e), wholePart(f)];
  let text = x === 0 && y === 0 ? '' : write([1, 0, 0, 1, x, y]);
  let factor = 1;
  const largest = Math.max(...[a, b, c, d].map((value) => Math.abs(value)));
  for (; largest / factor > LIMITS.real; factor *= LIMITS.real) {
    // The translation precedes the scale.
    if (factor === 1) text += write([1, 0, 0, 1, e - x, f - y]);
    text += write([LIMITS.real, 0, 0, LIMITS.real, 0, 0]);
  }
  if (factor === 1) return text + write([a, b, c, d, e - x, f - y]);
  return text + write([a / factor, b / factor, c / factor, d / factor, 0, 0]);
}

function wholePart(value: number): number {
  return Math.abs(value) <= LIMITS.real ? 0 : Math.trunc(value);
}

function write(matrix: Matrix): string {
  return `${matrix.map((value) => Number(value.toFixed(DIGITS))).join(' ')} cm `;
}
