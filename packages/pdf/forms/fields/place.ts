import type { Box, PageGeometry } from '../../objects/index.ts';

/** Gives the box, in points from the lower left corner of a page as it is shown, that a box in units of the page has there. */
export function fromPageUnits({ visible, unit, rotation }: PageGeometry, box: Box): Box {
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
