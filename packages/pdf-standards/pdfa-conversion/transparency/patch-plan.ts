import type { Operation, Box } from '@platen/pdf/objects';
import { IDENTITY, invert, overlap, type Matrix } from './geometry.ts';
import type { GraphicsState } from './graphics-state.ts';
import type { PaintObserver } from './interpreter-context.ts';

/** A position in content where bitmaps cover the transparent regions painted so far. */
export interface Insertion {
  /** The byte offset in the content; `undefined` for its end. */
  offset: number | undefined;
  /** The current transformation matrix at this position. */
  matrix: Matrix;
  regions: Box[];
}

/**
 * Each insertion needs its own rendering. After this many, all further regions are covered at the end of the
 * content.
 */
const MAX_INSERTIONS = 12;
/** If more regions are pending, all are covered at the end of the content. */
const MAX_PENDING = 60;
/**
 * PDF/A-1 allows 28 levels of `q`. A bitmap adds one level, and the frame around the page content another.
 */
const MAX_NESTED = 24;

interface Position {
  offset: number;
  matrix: Matrix;
}

interface PendingRegion {
  region: Box;
  /**
   * The clipping paths that apply where the region is painted. A bitmap is complete only at positions without
   * other clipping paths.
   */
  clips: readonly number[];
  /** The latest known position where the bitmap of the region can be inserted. */
  position: Position | undefined;
}

const PATH = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're', 'W', 'W*']);

/**
 * Decides where to insert the bitmaps of transparent regions: as late as possible, so that few bitmaps are
 * needed, but before opaque objects that are painted over the region, so that these objects stay text and
 * lines. Observes the content of one page.
 */
export class PatchPlan implements PaintObserver {
  readonly #insertions = new Map<number, Insertion>();
  #pending: PendingRegion[] = [];
  #paintedNow: PendingRegion[] = [];
  #clips: readonly number[] = [];

  painted(region: Box, transparent: boolean): void {
    if (transparent) {
      this.#paintedNow.push({ region, clips: this.#clips, position: undefined });
      return;
    }
    if (this.#insertions.size >= MAX_INSERTIONS || this.#pending.length > MAX_PENDING) return;
    this.#pending = this.#pending.filter(
      (pending) =>
        !pending.position || !overlap(pending.region, region) || !this.#put(pending, pending.position),
    );
  }

  done({ operator, end }: Operation, now: { state: GraphicsState; nested: number; inText: boolean }): void {
    const { state, nested, inText } = now;
    this.#pending.push(...this.#paintedNow);
    this.#paintedNow = [];
    this.#clips = state.clips;
    if (inText || nested > MAX_NESTED || PATH.has(operator) || this.#pending.length > MAX_PENDING) return;
    let position: Position | undefined;
    for (const pending of this.#pending) {
      if (!startsWithClips(pending.clips, state.clips)) continue;
      position ??= { offset: end, matrix: state.matrix };
      pending.position = position;
    }
  }

  /** Returns the insertions in content order. */
  finish(): Insertion[] {
    const rest = [...this.#pending, ...this.#paintedNow].map(({ region }) => region);
    const insertions = [...this.#insertions.values()].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
    if (rest.length > 0) insertions.push({ offset: undefined, matrix: IDENTITY, regions: rest });
    return insertions;
  }

  #put({ region }: PendingRegion, { offset, matrix }: Position): boolean {
    const insertion = this.#insertions.get(offset);
    if (insertion) insertion.regions.push(region);
    else if (invert(matrix)) this.#insertions.set(offset, { offset, matrix, regions: [region] });
    else return false;
    return true;
  }
}

/** Tells whether the second list of clipping paths is a prefix of the first. */
function startsWithClips(clips: readonly number[], others: readonly number[]): boolean {
  return others.length <= clips.length && (others.length === 0 || clips[others.length - 1] === others.at(-1));
}
