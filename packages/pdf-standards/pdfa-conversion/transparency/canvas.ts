import { type Dict, geometryOf, type Box } from '@platen/pdf/objects';
import type { PixelArea } from '@platen/pdf/images';
import { areaOf, exists, grow, intersection } from './geometry.ts';

const DOTS_PER_INCH = 300;
/**
 * A page of A4 at 300 dpi has 8.7 million pixels. Pages with more than this get a lower resolution. A pixel
 * takes up to 11 bytes of memory.
 */
const MAX_PIXELS = 12_000_000;
/** The margin around a region. Readers draw lines at least one screen pixel wide. */
const MARGIN_PT = 1;
/** If the regions cover more than this fraction of a page, one bitmap of the whole page replaces them. */
const WHOLE_PAGE_COVERAGE = 0.7;
/** If there would be more areas, they are merged. */
const MAX_AREAS = 24;
/** Aligns bitmaps with the pixels of 50, 100 and 150 dpi too, so that readers need not blur their edges. */
const STEP_PIXELS = 6;
/** Areas that are closer than this are merged. */
const GAP_PIXELS = 12;

/** The pixel grid over the visible area of a page. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #left: number;
  readonly #top: number;
  readonly #visible: Box;
  /** Pixels per unit of page space. */
  readonly #scale: number;

  constructor(page: Dict) {
    const { visible, unit } = geometryOf({ dict: page, inherited: new Map() });
    const [left, bottom, right, top] = visible;
    const finest = (DOTS_PER_INCH / 72) * unit;
    this.#scale = Math.min(finest, Math.sqrt(MAX_PIXELS / areaOf(visible)));
    this.#visible = visible;
    this.#left = left;
    this.#top = top;
    this.width = Math.max(1, Math.ceil((right - left) * this.#scale - 0.01));
    this.height = Math.max(1, Math.ceil((top - bottom) * this.#scale - 0.01));
  }

  /**
   * The area that the grid covers. It may extend a fraction of a pixel beyond the visible area at the right
   * and bottom.
   */
  get box(): Box {
    return this.boxOf({ left: 0, top: 0, width: this.width, height: this.height });
  }

  /** Returns the position of a part of the grid on the page. */
  boxOf({ left, top, width, height }: PixelArea): Box {
    const [x, y] = [this.#left + left / this.#scale, this.#top - top / this.#scale];
    return [x, y - height / this.#scale, x + width / this.#scale, y];
  }

  /** Returns a small number of disjoint parts of the grid that cover the regions. */
  areasCovering(regions: readonly Box[]): PixelArea[] {
    const edges: Box[] = [];
    for (const region of regions) {
      const seen = intersection(grow(region, MARGIN_PT), this.#visible);
      if (exists(seen)) addTo(edges, this.#pixelsOf(seen));
    }
    const whole: Box = [0, 0, this.width, this.height];
    const covered = edges.reduce((sum, box) => sum + areaOf(box), 0);
    const chosen = covered > WHOLE_PAGE_COVERAGE * areaOf(whole) ? [whole] : edges;
    return chosen
      .filter((box) => areaOf(box) > 0)
      .map(([left, top, right, bottom]) => ({ left, top, width: right - left, height: bottom - top }));
  }

  /** Converts a box to left, top, right and bottom in pixels. */
  #pixelsOf([left, bottom, right, top]: Box): Box {
    return [
      Math.max(0, roundToSteps(Math.floor, (left - this.#left) * this.#scale)),
      Math.max(0, roundToSteps(Math.floor, (this.#top - top) * this.#scale)),
      Math.min(this.width, roundToSteps(Math.ceil, (right - this.#left) * this.#scale)),
      Math.min(this.height, roundToSteps(Math.ceil, (this.#top - bottom) * this.#scale)),
    ];
  }
}

function roundToSteps(round: (value: number) => number, pixels: number): number {
  return STEP_PIXELS * round(pixels / STEP_PIXELS);
}

/** Adds a box to a list, merging it with boxes close to it. */
function addTo(boxes: Box[], added: Box): void {
  let box = added;
  for (let at = 0; at < boxes.length; at++) {
    const other = boxes[at];
    if (!other || (boxes.length < MAX_AREAS && !isClose(box, other))) continue;
    box = [
      Math.min(box[0], other[0]),
      Math.min(box[1], other[1]),
      Math.max(box[2], other[2]),
      Math.max(box[3], other[3]),
    ];
    boxes.splice(at, 1);
    at = -1;
  }
  boxes.push(box);
}

function isClose(one: Box, other: Box): boolean {
  const [left, top, right, bottom] = grow(one, GAP_PIXELS);
  return left <= other[2] && other[0] <= right && top <= other[3] && other[1] <= bottom;
}
