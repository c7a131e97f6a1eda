import type { PageGeometry } from '../objects/index.ts';

/** A transformation matrix: a, b, c, d, e, f (ISO 32000-1 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** The name of a place on a page. */
export type PlaceName =
  | 'center'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'top-left'
  | 'top-right'
  | 'bottom-left'
  | 'bottom-right';

/**
 * How a mark is placed on a page as displayed. Lengths are in points, and angles in degrees counterclockwise.
 */
export interface MarkPlacement {
  position: PlaceName | { x: number; y: number };
  /** How far the mark is moved from its position, to the right and up. */
  offset?: { x: number; y: number } | undefined;
  /** The distance from the edges of the page, unless the position is a point; 24 when absent. */
  margin?: number | undefined;
  /** An angle; or along the diagonal of the page that goes up or down from the left. */
  rotation: number | 'diagonal-up' | 'diagonal-down';
  tile: boolean;
  /**
   * The factor by which the mark is enlarged; or its upper limit `largest`, and the fraction `fill` of the
   * page that the mark may take; or the fraction `side` of the page that the longer side of the mark takes
   * before it is turned, of the width for a wide mark and of the height for a tall one.
   */
  size: { factor: number } | { largest: number; fill: number } | { side: number };
  /** Multiplies the factor. */
  scale: number;
}

const MARGIN_PT = 24;
const MAX_TILES = 1_000;

/** Returns where a mark is drawn on a page: matrices from the mark to the user space of the page. */
export function placeMark(
  page: PageGeometry,
  mark: { width: number; height: number },
  placement: MarkPlacement,
): Matrix[] {
  const { position, rotation, tile, scale, offset = { x: 0, y: 0 }, margin = MARGIN_PT } = placement;
  const angle = angleOf(page, rotation);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const bounds = (factor: number) => ({
    width: (Math.abs(mark.width * cos) + Math.abs(mark.height * sin)) * factor,
    height: (Math.abs(mark.width * sin) + Math.abs(mark.height * cos)) * factor,
  });
  const natural = bounds(1);
  const factor = factorOf(page, { mark, natural, size: placement.size }) * scale;
  const box = bounds(factor);
  const user = toUserSpace(page);
  const at = ([x, y]: readonly [number, number]): Matrix =>
    multiply(
      [1, 0, 0, 1, -mark.width / 2, -mark.height / 2],
      multiply([cos * factor, sin * factor, -sin * factor, cos * factor, x, y], user),
    );
  if (tile) return tileCenters(page, box).map(at);
  const [x, y] = centerOf(page, { box, position, margin });
  return [at([x + offset.x, y + offset.y])];
}

/** Returns the angle of a mark in radians. */
function angleOf(page: PageGeometry, rotation: MarkPlacement['rotation']): number {
  if (typeof rotation === 'number') return (rotation * Math.PI) / 180;
  const diagonal = Math.atan2(page.height, page.width);
  return rotation === 'diagonal-up' ? diagonal : -diagonal;
}

interface Size {
  width: number;
  height: number;
}

/** Returns how far a mark is enlarged, before its scale. `natural` is the size of its bounds. */
function factorOf(
  page: PageGeometry,
  { mark, natural, size }: { mark: Size; natural: Size; size: MarkPlacement['size'] },
): number {
  if ('factor' in size) return size.factor;
  if ('side' in size)
    return mark.width >= mark.height
      ? (page.width * size.side) / mark.width
      : (page.height * size.side) / mark.height;
  const fit = Math.min(page.width / natural.width, page.height / natural.height);
  return Math.min(size.largest, fit * size.fill);
}

function centerOf(
  page: PageGeometry,
  { box, position, margin }: { box: Size; position: MarkPlacement['position']; margin: number },
): readonly [number, number] {
  if (typeof position === 'object') return [position.x + box.width / 2, position.y + box.height / 2];
  // A mark that does not fit between the margins stays centred.
  const right = Math.max(page.width / 2, page.width - margin - box.width / 2);
  const top = Math.max(page.height / 2, page.height - margin - box.height / 2);
  const x = position.includes('left')
    ? page.width - right
    : position.includes('right')
      ? right
      : page.width / 2;
  const y = position.includes('bottom')
    ? page.height - top
    : position.includes('top')
      ? top
      : page.height / 2;
  return [x, y];
}

/**
 * Returns the centres of at most {@link MAX_TILES} tiles in a grid around the centre of the page. Small tiles
 * are placed further apart.
 */
function tileCenters(page: PageGeometry, box: Size): [number, number][] {
  let step = { x: Math.max(box.width * 1.2, 1), y: Math.max(box.height * 1.2, 1) };
  const half = () => ({
    x: Math.ceil(page.width / 2 / step.x),
    y: Math.ceil(page.height / 2 / step.y),
  });
  while ((2 * half().x + 1) * (2 * half().y + 1) > MAX_TILES) step = { x: step.x * 1.5, y: step.y * 1.5 };
  const centers: [number, number][] = [];
  for (let row = -half().y; row <= half().y; row++)
    for (let column = -half().x; column <= half().x; column++)
      centers.push([page.width / 2 + column * step.x, page.height / 2 + row * step.y]);
  return centers;
}

/** Returns the matrix from the page as displayed, in points from its lower left corner, to user space. */
function toUserSpace({ visible, unit, rotation }: PageGeometry): Matrix {
  const [left, bottom, right, top] = visible;
  const perPoint = 1 / unit;
  switch (rotation) {
    case 0:
      return [perPoint, 0, 0, perPoint, left, bottom];
    case 90:
      return [0, perPoint, -perPoint, 0, right, bottom];
    case 180:
      return [-perPoint, 0, 0, -perPoint, right, top];
    case 270:
      return [0, -perPoint, perPoint, 0, left, top];
  }
}

/** Returns the matrix from user space to the page as displayed, in points from its lower left corner. */
export function toDisplay({ visible, unit, rotation }: PageGeometry): Matrix {
  const [left, bottom, right, top] = visible;
  switch (rotation) {
    case 0:
      return [unit, 0, 0, unit, -left * unit, -bottom * unit];
    case 90:
      return [0, -unit, unit, 0, -bottom * unit, right * unit];
    case 180:
      return [-unit, 0, 0, -unit, right * unit, top * unit];
    case 270:
      return [0, unit, -unit, 0, top * unit, -left * unit];
  }
}

/** Returns the matrix that applies `first`, then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}
