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

/** The functions in which a reference to a repeated cell means all its copies. */
const AGGREGATES = new Set(
  'SUM SUBTOTAL AGGREGATE AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MINA MAX MAXA PRODUCT SUMPRODUCT SUMSQ MEDIAN STDEV STDEV.S STDEV.P VAR VAR.S VAR.P SUMIF SUMIFS COUNTIF COUNTIFS AVERAGEIF AVERAGEIFS CONCAT TEXTJOIN'.split(
    ' ',
  ),
);

/** Knows where the rows of a template are in the filled sheet. */
export class RowMap {
  readonly #copies = new Map<number, FilledRow[]>();
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
    if (path.length === 0 || all.length < 2) return all;
    return all.filter((copy) => isNear(copy.path, path));
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
      if (start && end) {
        include(start.number);
        include(end.number);
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
    const isRange = last !== undefined || (grows && low !== high);
    return `${sheet}${at(first, low)}${isRange ? `:${at(last ?? first, high)}` : ''}`;
  }
}

/** Tells whether a row is in the same iterations as another one, as far as both are in the same blocks. */
function isNear(one: RowPath, other: RowPath): boolean {
  for (const [index, { block, iteration }] of one.entries()) {
    const step = other[index];
    if (step?.block !== block) return true;
    if (step.iteration !== iteration) return false;
  }
  return true;
}
