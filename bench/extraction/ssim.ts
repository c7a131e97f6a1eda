import type { PNG } from 'pngjs';

const WINDOW = 8;
const STEP = 4;
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

/** Returns the mean structural similarity of the luminance of two images of the same size (Wang et al., 2004), in windows of 8 x 8 pixels. */
export function ssim(one: PNG, other: PNG): number {
  const { width, height } = one;
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + WINDOW <= height; top += STEP)
    for (let left = 0; left + WINDOW <= width; left += STEP) {
      sum += similarity(a, b, { left, top, width });
      windows += 1;
    }
  return sum / windows;
}

function luminanceOf({ width, height, data }: PNG): Float64Array {
  const at = (index: number) => data[index] ?? 0;
  return Float64Array.from(
    { length: width * height },
    (_, pixel) => 0.299 * at(4 * pixel) + 0.587 * at(4 * pixel + 1) + 0.114 * at(4 * pixel + 2),
  );
}

function similarity(
  a: Float64Array,
  b: Float64Array,
  { left, top, width }: { left: number; top: number; width: number },
): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + WINDOW; y += 1)
    for (let x = left; x < left + WINDOW; x += 1) {
      const [p, q] = [a[y * width + x] ?? 0, b[y * width + x] ?? 0];
      sumA += p;
      sumB += q;
      squaresA += p * p;
      squaresB += q * q;
      products += p * q;
    }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const [varianceA, varianceB] = [squaresA / count - meanA * meanA, squaresB / count - meanB * meanB];
  const covariance = products / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  );
}
