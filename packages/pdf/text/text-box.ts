import type { Matrix } from '../watermark/placement.ts';

/** A rectangle in points from the lower left corner of a page as it is displayed. */
export interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The coordinates of two opposite corners of a rectangle. */
export type Corners = readonly [x1: number, y1: number, x2: number, y2: number];

/** Returns the smallest box around two opposite corners of a rectangle after a transformation. */
export function transformedBox([x1, y1, x2, y2]: Corners, [a, b, c, d, e, f]: Matrix): TextBox {
  const xs = [a * x1 + c * y1 + e, a * x2 + c * y2 + e];
  const ys = [b * x1 + d * y1 + f, b * x2 + d * y2 + f];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns the smallest box around boxes. Ignores empty boxes. */
export function enclose(boxes: readonly TextBox[]): TextBox {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    if (width === 0 && height === 0) continue;
    left = Math.min(left, x);
    bottom = Math.min(bottom, y);
    right = Math.max(right, x + width);
    top = Math.max(top, y + height);
  }
  if (right < left) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: bottom, width: right - left, height: top - bottom };
}
