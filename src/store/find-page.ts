import { yieldToEventLoop } from '../time-slice.ts';
import type { Collection, Document, Filter } from './store.ts';

/** The number of records that are skipped at a time. The embedded database blocks this thread for a few milliseconds to skip them. */
const SKIPPED_AT_ONCE = 20_000;

/** A record with the time of its creation. */
interface Dated extends Document {
  createdAt: number;
}

/** A page of a list. */
export interface PageQuery<T> {
  where: Filter<T>;
  limit: number;
  offset: number;
}

/**
 * Reads a page of records, newest first; records of the same time by descending id. A large offset is skipped in steps, between which the service serves other
 * requests.
 */
export async function findPage<T extends Dated>(
  collection: Collection<T>,
  { where, limit, offset }: PageQuery<T>,
  stride = SKIPPED_AT_ONCE,
): Promise<T[]> {
  const order = { createdAt: 'desc', id: 'desc' } as const;
  const lowerBound = typeof where.createdAt === 'object' ? where.createdAt : {};
  const narrowed = (more: Filter<Dated>) => ({ ...where, ...more }) as Filter<T>;
  let toSkip = offset;
  let rest = where;
  while (toSkip > stride) {
    const [reached] = await collection.find({ where: rest, order, limit: 1, offset: stride });
    if (!reached) return [];
    const { createdAt, id } = reached;
    // The next step begins with all records of this time, some of which are already skipped.
    const passed = await collection.count(narrowed({ createdAt, id: { gt: id } }));
    if (passed >= stride) break;
    rest = narrowed({ createdAt: { ...lowerBound, lte: createdAt } });
    toSkip -= stride - passed;
    await yieldToEventLoop();
  }
  return collection.find({ where: rest, order, limit, offset: toSkip });
}
