import { type Dict, geometryOf, type Box } from '../../objects/index.ts';
import type { Part } from './draw-pages.ts';
import { areaOf, exists, grow, meet } from './geometry.ts';

const DOTS_PER_INCH = 300;
/** A4 at 300 dpi has 8.7 million; larger pages get fewer dots per inch. Each takes 4 bytes in PDFium and 7 here while it is packed. */
const MAX_PIXELS = 12_000_000;
/** Points around a region: lines are at least as wide as a pixel of a screen. */
const MARGIN = 1;
/** Of this much of a page, one picture of the whole is simpler. */
const MOST_OF_A_PAGE = 0.7;
const MAX_PARTS = 24;
/** Pictures begin and end on pixels of 50, 100 and 150 dpi as well, where readers need not blur their edges. */
const STEP_PIXELS = 6;
/** Pictures that are closer than this become one. */
const GAP_PIXELS = 12;

/** The grid of pixels over what is seen of a page. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #left: number;
  readonly #top: number;
  readonly #visible: Box;
  /** Pixels in a unit of the page. */
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

  /** What the grid covers; at the right and bottom a part of a pixel more than is seen. */
  get box(): Box {
    return this.boxOf({ left: 0, top: 0, width: this.width, height: this.height });
  }

  /** Where a part of the grid lies on the page. */
  boxOf({ left, top, width, height }: Part): Box {
    const [x, y] = [this.#left + left / this.#scale, this.#top - top / this.#scale];
    return [x, y - height / this.#scale, x + width / this.#scale, y];
  }

  /** The parts of the grid that cover regions: few, and none over another. */
  partsOf(regions: readonly Box[]): Part[] {
    const edges: Box[] = [];
    for (const region of regions) {
      const seen = meet(grow(region, MARGIN), this.#visible);
      if (exists(seen)) addTo(edges, this.#pixelsOf(seen));
    }
    const whole: Box = [0, 0, this.width, this.height];
    const covered = edges.reduce((sum, box) => sum + areaOf(box), 0);
    const chosen = covered > MOST_OF_A_PAGE * areaOf(whole) ? [whole] : edges;
    return chosen
      .filter((box) => areaOf(box) > 0)
      .map(([left, top, right, bottom]) => ({ left, top, width: right - left, height: bottom - top }));
  }

  /** Left, top, right and bottom in pixels. */
  #pixelsOf([left, bottom, right, top]: Box): Box {
    return [
      Math.max(0, stepsTo(Math.floor, (left - this.#left) * this.#scale)),
      Math.max(0, stepsTo(Math.floor, (this.#top - top) * this.#scale)),
      Math.min(this.width, stepsTo(Math.ceil, (right - this.#left) * this.#scale)),
      Math.min(this.height, stepsTo(Math.ceil, (this.#top - bottom) * this.#scale)),
    ];
  }
}

function stepsTo(round: (value: number) => number, pixels: number): number {
  return STEP_PIXELS * round(pixels / STEP_PIXELS);
}

/** Adds a box to boxes of which none is close to another, and keeps them so. */
function addTo(boxes: Box[], added: Box): void {
  let box = added;
  for (let at = 0; at < boxes.length; at++) {
    const other = boxes[at];
    if (!other || (boxes.length < MAX_PARTS && !isClose(box, other))) continue;
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
