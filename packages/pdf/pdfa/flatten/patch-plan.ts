import type { Operation, Box } from '../../objects/index.ts';
import { IDENTITY, invert, overlap, type Matrix } from './geometry.ts';
import type { GraphicsState } from './graphics-state.ts';
import type { Observer } from './setting.ts';

/** A place in content where pictures of the page, as it looks there, are put over what is seen through so far. */
export interface Layer {
  /** Bytes of the content that come before; `undefined` for all. */
  offset: number | undefined;
  /** The transformation in force there. */
  matrix: Matrix;
  regions: Box[];
}

/** Each layer is drawn by itself. What comes after so many waits for the last. */
const MAX_LAYERS = 12;
const MAX_WAITING = 60;
/** PDF/A-1 allows 28 levels of `q`; a picture takes one, and the page's own frame another. */
const MAX_NESTED = 24;

interface Place {
  offset: number;
  matrix: Matrix;
}

interface Waiting {
  region: Box;
  /** The clips in force where it is painted. A picture shows whole where no other is. */
  clips: readonly number[];
  /** The last place so far where its picture can be put. */
  place: Place | undefined;
}

const PATH = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're', 'W', 'W*']);

/**
 * Decides where pictures of what is seen through go: as late as possible, so that many become one, and before anything opaque that
 * is painted over it, so that this stays what it is. Observes the content of one page.
 */
export class PatchPlan implements Observer {
  readonly #layers = new Map<number, Layer>();
  #waiting: Waiting[] = [];
  #fresh: Waiting[] = [];
  #clips: readonly number[] = [];

  painted(region: Box, seenThrough: boolean): void {
    if (seenThrough) {
      this.#fresh.push({ region, clips: this.#clips, place: undefined });
      return;
    }
    if (this.#layers.size >= MAX_LAYERS || this.#waiting.length > MAX_WAITING) return;
    this.#waiting = this.#waiting.filter(
      (waiting) => !waiting.place || !overlap(waiting.region, region) || !this.#put(waiting, waiting.place),
    );
  }

  done({ operator, end }: Operation, now: { state: GraphicsState; nested: number; inText: boolean }): void {
    const { state, nested, inText } = now;
    this.#waiting.push(...this.#fresh);
    this.#fresh = [];
    this.#clips = state.clips;
    if (inText || nested > MAX_NESTED || PATH.has(operator) || this.#waiting.length > MAX_WAITING) return;
    let place: Place | undefined;
    for (const waiting of this.#waiting) {
      if (!isWithin(waiting.clips, state.clips)) continue;
      place ??= { offset: end, matrix: state.matrix };
      waiting.place = place;
    }
  }

  /** The layers in the order of the content. */
  finish(): Layer[] {
    const rest = [...this.#waiting, ...this.#fresh].map(({ region }) => region);
    const layers = [...this.#layers.values()].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
    if (rest.length > 0) layers.push({ offset: undefined, matrix: IDENTITY, regions: rest });
    return layers;
  }

  #put({ region }: Waiting, { offset, matrix }: Place): boolean {
    const layer = this.#layers.get(offset);
    if (layer) layer.regions.push(region);
    else if (invert(matrix)) this.#layers.set(offset, { offset, matrix, regions: [region] });
    else return false;
    return true;
  }
}

/** Tells whether clips contain others: they are these, or those that these were made from. */
function isWithin(clips: readonly number[], others: readonly number[]): boolean {
  return others.length <= clips.length && (others.length === 0 || clips[others.length - 1] === others.at(-1));
}
