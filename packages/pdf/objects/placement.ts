import type { Box } from './page-box.ts';
import { geometryOf, type PageGeometry } from './page-geometry.ts';
import type { Page } from './page-tree.ts';
import { InputFault } from './errors.ts';

/** A rectangle on a page as displayed, in points from its lower left corner. */
export interface PlacedBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The rectangle in user space, and the matrix that makes content appear upright on a rotated page. */
export interface Placement {
  rect: Box;
  matrix: readonly number[];
}

/** Rectangles may exceed the page by this much, because callers compute them from rounded page sizes. */
const TOLERANCE_PT = 0.01;

/** Returns the page at a zero-based index. @throws {InputFault} stating the valid range. */
export function pickPage(pages: readonly Page[], index: unknown): Page {
  const page = typeof index === 'number' && Number.isInteger(index) ? pages[index] : undefined;
  if (page && typeof index === 'number' && index >= 0) return page;
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
  throw new InputFault('page', `must be an integer from 0 to ${pages.length - 1}: the PDF has ${count}`);
}

/**
 * Converts a rectangle on the displayed page to user space.
 * @throws {InputFault} naming the field that puts it outside the visible page.
 */
export function placeOn(page: Page, box: PlacedBox): Placement {
  const geometry = geometryOf(page);
  const field = fieldOutsidePage(geometry, box);
  if (field !== undefined) {
    const { x, y, width, height } = box;
    throw new InputFault(
      field,
      `the box of ${width} x ${height} points at ${x}, ${y} is not inside the page, which is ${rounded(geometry.width)} x ${rounded(geometry.height)} points as shown`,
    );
  }
  const [ax, ay] = toPageUnits(geometry, box.x, box.y);
  const [bx, by] = toPageUnits(geometry, box.x + box.width, box.y + box.height);
  const rect = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
  const [left = 0, bottom = 0, right = 0, top = 0] = rect.map((side) => Number(side.toFixed(4)));
  return { rect: [left, bottom, right, top], matrix: UPRIGHT[geometry.rotation] };
}

/** Returns the matrix that makes content appear upright on a rotated page. */
export function uprightMatrix(page: Page): readonly number[] {
  return UPRIGHT[geometryOf(page).rotation];
}

/** Matrices that counteract the page rotation. */
const UPRIGHT: Readonly<Record<PageGeometry['rotation'], readonly number[]>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
};

function fieldOutsidePage(
  page: PageGeometry,
  { x, y, width, height }: PlacedBox,
): keyof PlacedBox | undefined {
  if (x < -TOLERANCE_PT || x >= page.width) return 'x';
  if (y < -TOLERANCE_PT || y >= page.height) return 'y';
  if (x + width > page.width + TOLERANCE_PT) return 'width';
  if (y + height > page.height + TOLERANCE_PT) return 'height';
  return undefined;
}

function toPageUnits({ visible, unit, rotation }: PageGeometry, x: number, y: number): [number, number] {
  const [left, bottom, right, top] = visible;
  const [across, up] = [x / unit, y / unit];
  switch (rotation) {
    case 0:
      return [left + across, bottom + up];
    case 90:
      return [right - up, bottom + across];
    case 180:
      return [right - across, top - up];
    case 270:
      return [left + up, top - across];
  }
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
