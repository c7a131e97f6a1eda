import { yieldToEventLoop } from '../time-slice.ts';
import type { Collection, Document, Filter, Order } from './store.ts';

/** The documents to {@link scan}. */
export interface Scan<T> {
  where: Filter<T>;
  /** A numeric field. */
  by: keyof T & string;
  /** The minimum and maximum value of the field. Default: unlimited. */
  from?: number;
  to?: number;
  pageSize?: number;
}

/**
 * Reads all matching documents in the order of a numeric field. Yields them in pages and lets the event loop
 * run between pages. Documents may be changed during the scan, even by the reader. A document that matches
 * the whole time is read exactly once.
 */
export async function* scan<T extends Document>(
  collection: Collection<T>,
  { where, by, from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER, pageSize = 100 }: Scan<T>,
): AsyncGenerator<T[]> {
  const order = { [by]: 'asc' } as Order<T>;
  let start = from;
  /** The ids of the documents already read whose field equals `start`. */
  let atStart = new Set<string>();
  for (let isLast = false; !isLast;) {
    const range = { ...where, [by]: { gte: start, lte: to } } as Filter<T>;
    const limit = pageSize + atStart.size;
    const page = await collection.find({ where: range, order, limit });
    const fresh = page.filter(({ id }) => !atStart.has(id));
    isLast = page.length < limit;
    const end = Number(page.at(-1)?.[by] ?? start);
    if (end !== start) atStart = new Set();
    for (const document of fresh) if (document[by] === end) atStart.add(document.id);
    start = end;
    if (fresh.length > 0) yield fresh;
    await yieldToEventLoop();
  }
}
