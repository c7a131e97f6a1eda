import type { Box, PageGeometry } from '../../objects/index.ts';

/** Converts a rectangle in user space to points from the lower left corner of the page as displayed. */
export function toDisplayedBox({ visible, unit, rotation }: PageGeometry, box: Box): Box {
  const [left, bottom, right, top] = visible;
  const [x1, y1, x2, y2] = box;
  const turned: Record<PageGeometry['rotation'], Box> = {
    0: [x1 - left, y1 - bottom, x2 - left, y2 - bottom],
    90: [y1 - bottom, right - x2, y2 - bottom, right - x1],
    180: [right - x2, top - y2, right - x1, top - y1],
    270: [top - y2, x1 - left, top - y1, x2 - left],
  };
  const [a, b, c, d] = turned[rotation];
  return [a * unit, b * unit, c * unit, d * unit];
}
