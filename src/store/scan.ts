import { yieldToEventLoop } from '../time-slice.ts';
import type { Collection, Document, Filter, Order } from './store.ts';

/** What {@link scan} reads. */
export interface Scan<T> {
  where: Filter<T>;
  /** A field that holds numbers. */
  by: keyof T & string;
  /** The least and the greatest value of the field; no limit when absent. */
  from?: number;
  to?: number;
  pageSize?: number;
}

/**
 * Reads all documents that match, in the order of a numeric field, in pages, so that neither a large answer nor an embedded database,
 * which works in this thread, keeps other work waiting. Documents may be changed meanwhile, also by the reader: those that match
 * throughout are read once.
 */
export async function* scan<T extends Document>(
  collection: Collection<T>,
  { where, by, from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER, pageSize = 100 }: Scan<T>,
): AsyncGenerator<T[]> {
  const order = { [by]: 'asc' } as Order<T>;
  let start = from;
  /** The ids of the documents at `start` that were read. */
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
