import { OfficeFault } from '../fault.ts';
import { writePosition, writeSheet, type CellPosition, type CellReference } from './formula.ts';

/** The iterations around a row of a filled sheet, the outermost first. */
export type RowPath = readonly { block: string; iteration: number }[];

/** A row of a filled sheet: its number in the template and its own number. */
export interface FilledRow {
  original: number;
  number: number;
  path: RowPath;
}

/** The last cell of a sheet. It stands for cells that the data leaves out, because it is certainly empty. */
const NO_CELL = 'XFD1048576';

/** Functions take at most 255 arguments. */
const MAX_RUNS = 250;

/** The functions in which a reference to a repeated cell means all its copies. */
const AGGREGATES = new Set(
  'SUM SUBTOTAL AGGREGATE AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MINA MAX MAXA PRODUCT SUMPRODUCT SUMSQ MEDIAN STDEV STDEV.S STDEV.P VAR VAR.S VAR.P SUMIF SUMIFS COUNTIF COUNTIFS AVERAGEIF AVERAGEIFS CONCAT TEXTJOIN'.split(
    ' ',
  ),
);

/** Knows where the rows of a template are in the filled sheet. */
export class RowMap {
  readonly #copies = new Map<number, FilledRow[]>();
  /** The copies of rows by their iterations; see `#near`. */
  readonly #groups = new Map<string, ReadonlyMap<string, readonly FilledRow[]>>();
  /** The numbers of the rows of the template that exist, or are in a block; ascending. */
  readonly #known: readonly number[];
  /** The last row of the filled sheet that comes from a known row or from one before it; as `#known`. */
  readonly #ends: number[] = [];

  constructor(known: readonly number[], rows: readonly FilledRow[]) {
    this.#known = known;
    for (const row of rows) {
      const copies = this.#copies.get(row.original) ?? [];
      copies.push(row);
      this.#copies.set(row.original, copies);
    }
    let before = 0;
    let end = 0;
    for (const original of known) {
      const free = original - before - 1;
      const last = this.#copies.get(original)?.at(-1)?.number;
      end = last === undefined ? end + free : Math.max(end + free, last);
      this.#ends.push(end);
      before = original;
    }
  }

  /** Returns the copies of a row that a formula in a row with `path` can mean. */
  copies(original: number, path: RowPath = []): readonly FilledRow[] {
    const all = this.#copies.get(original) ?? [];
    const [first] = all;
    if (!first || path.length === 0 || all.length < 2) return all;
    // All copies of a row are in the same blocks.
    const depth = commonBlocks(first.path, path);
    if (depth === 0) return all;
    return this.#near(original, depth).get(iterationsOf(path, depth)) ?? [];
  }

  /** Returns the copies of a row by their iterations of the outer `depth` blocks. */
  #near(original: number, depth: number): ReadonlyMap<string, readonly FilledRow[]> {
    const key = `${original} ${depth}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const groups = new Map<string, FilledRow[]>();
    for (const copy of this.#copies.get(original) ?? []) {
      const iterations = iterationsOf(copy.path, depth);
      const group = groups.get(iterations);
      if (group) group.push(copy);
      else groups.set(iterations, [copy]);
    }
    this.#groups.set(key, groups);
    return groups;
  }

  /**
   * Returns the first and the last row of the filled sheet that come from the rows `first` to `last`;
   * `undefined` if there is none.
   */
  range(first: number, last: number, path: RowPath = []): [first: number, last: number] | undefined {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    const include = (number: number) => {
      low = Math.min(low, number);
      high = Math.max(high, number);
    };
    // Rows without content are where the rows before them end.
    for (const edge of [first, last]) if (!this.#isKnown(edge)) include(this.#free(edge));
    for (let index = this.#indexAfter(first - 1); index < this.#known.length; index += 1) {
      const original = this.#known[index] ?? 0;
      if (original > last) break;
      const copies = this.copies(original, path);
      const [start] = copies;
      const end = copies.at(-1);
      if (!start || !end) continue;
      include(start.number);
      include(end.number);
      // Without iterations to choose, all rows up to the last one count, so the others need not be visited.
      if (path.length === 0) {
        include(this.#ends[this.#indexAfter(last) - 1] ?? end.number);
        break;
      }
    }
    return high === 0 ? undefined : [low, high];
  }

  #isKnown(original: number): boolean {
    return this.#known[this.#indexAfter(original) - 1] === original;
  }

  /** Returns where a row is that has no content in the template. */
  #free(original: number): number {
    const index = this.#indexAfter(original) - 1;
    return (this.#ends[index] ?? 0) + original - (this.#known[index] ?? 0);
  }

  /** Returns the index of the first known row after a row. */
  #indexAfter(original: number): number {
    let low = 0;
    let high = this.#known.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#known[middle] ?? 0) <= original) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Writes a reference for the filled sheet. `path` is that of the row with the formula, if it is in the same
   * sheet. `grows` tells that one cell becomes a range if it is repeated.
   */
  write(reference: CellReference, path: RowPath, grows = AGGREGATES.has(reference.within)): string {
    const { first, last, within } = reference;
    const sheet = writeSheet(reference.sheet);
    const at = (position: CellPosition, row: number) => writePosition({ ...position, row });
    const range = this.range(first.row, last?.row ?? first.row, path);
    if (!range) return AGGREGATES.has(within) || grows ? `${sheet}${NO_CELL}` : '#REF!';
    const [low, high] = range;
    // The copies of one row are not always neighbours: a row of sums can follow each group.
    if (grows && (last === undefined || last.row === first.row))
      return this.#runs(first.row, path, range)
        .map(([start, end]) => {
          const isRange = last !== undefined || start !== end;
          return `${sheet}${at(first, start)}${isRange ? `:${at(last ?? first, end)}` : ''}`;
        })
        .join(',');
    return `${sheet}${at(first, low)}${last ? `:${at(last, high)}` : ''}`;
  }

  /** Returns the runs of neighbouring copies of a row, of which `range` is the first and the last. */
  #runs(original: number, path: RowPath, range: readonly [number, number]): (readonly [number, number])[] {
    const runs: [number, number][] = [];
    for (const { number } of this.copies(original, path)) {
      const current = runs.at(-1);
      if (current && number === current[1] + 1) current[1] = number;
      else runs.push([number, number]);
    }
    if (runs.length > MAX_RUNS)
      throw new OfficeFault(
        `a formula refers to row ${original} of the template, whose ${runs.length} copies are not side by side; a function takes at most ${MAX_RUNS} of them`,
        'tag',
      );
    return runs.length > 0 ? runs : [range];
  }
}

/** Returns how many of the outer blocks two rows have in common. */
function commonBlocks(one: RowPath, other: RowPath): number {
  const differs = one.findIndex(({ block }, index) => other[index]?.block !== block);
  return differs < 0 ? one.length : differs;
}

function iterationsOf(path: RowPath, depth: number): string {
  return path
    .slice(0, depth)
    .map(({ iteration }) => iteration)
    .join(' ');
}
