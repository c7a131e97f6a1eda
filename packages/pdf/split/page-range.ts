/** Pages from the first to the last, from 0, both included. */
export interface PageRange {
  first: number;
  last: number;
}
