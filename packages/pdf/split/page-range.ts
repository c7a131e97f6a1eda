/** A range of zero-based page indexes, both inclusive. */
export interface PageRange {
  first: number;
  last: number;
}
