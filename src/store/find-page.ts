import { yieldToEventLoop } from '../time-slice.ts';
import type { Collection, Document, Filter, Query } from './store.ts';

/**
 * The number of records that are skipped at a time. The embedded database blocks this thread for a few
 * milliseconds to skip them.
 */
const SKIPPED_AT_ONCE = 20_000;

const NEWEST_FIRST = { createdAt: 'desc', id: 'desc' } as const;
const OLDEST_FIRST = { createdAt: 'asc', id: 'asc' } as const;

type Bounds = Partial<Record<'lt' | 'lte' | 'gt' | 'gte', number>>;

/** A record with the time of its creation. */
interface Dated extends Document {
  createdAt: number;
}

/** The part of a list that a request asks for. At most one of the three positions is given. */
export interface Page {
  limit: number;
  /** The number of records to skip. */
  offset?: number;
  /** The id of the record before the first one of the page. */
  startingAfter?: string | undefined;
  /** The id of the record after the last one of the page. */
  endingBefore?: string | undefined;
  /** Whether to count all records of the list. */
  includeTotal?: boolean;
}

/** A page of records. */
export interface Listed<T> {
  /** Newest first; records of the same time by descending id. */
  records: T[];
  /** Whether more records follow, or precede when the page ends before a record. */
  hasMore: boolean;
  /** The number of records of the list, if it was asked for. */
  total?: number;
}

/** Changes the records of a page. */
export async function mapListed<T, U>(
  listed: Listed<T>,
  change: (record: T) => U | Promise<U>,
): Promise<Listed<U>> {
  return { ...listed, records: await Promise.all(listed.records.map(change)) };
}

/** Thrown when a page is to begin or end beside a record that the list does not have. */
export class UnknownPositionError extends Error {
  override name = 'UnknownPositionError';
  readonly field: 'startingAfter' | 'endingBefore';

  constructor(field: UnknownPositionError['field']) {
    super(`${field} is not the id of a record of the list`);
    this.field = field;
  }
}

/** The records of a page, and how many of them are read in one turn of the event loop. */
interface PageOf<T> {
  where: Filter<T>;
  at: (id: string) => Filter<T>;
  page: Page;
  /** Long records delay other requests less when they are read a few at a time. */
  atOnce?: number;
  /** Tells that records are so long that the page ends with them, although it has fewer than its limit. */
  isFull?: (records: readonly T[]) => boolean;
}

/**
 * Reads a page of records, newest first; records of the same time by descending id. A page beside a record
 * stays the same while records are added. `at` finds this record by its id; it need not match `where`, which
 * it may have matched before. A large offset is skipped in steps, between which the service serves other
 * requests.
 * @throws {UnknownPositionError}
 */
export async function findPage<T extends Dated>(
  collection: Collection<T>,
  { where, at, page, atOnce = page.limit, isFull = () => false }: PageOf<T>,
  stride = SKIPPED_AT_ONCE,
): Promise<Listed<T>> {
  const first = { ...page, limit: Math.min(page.limit, atOnce) };
  let listed = await findFirst(collection, { where, at, page: first }, stride);
  while (listed.hasMore && listed.records.length < page.limit && !isFull(listed.records))
    listed = await readOn(collection, { where, page, atOnce }, listed);
  return listed;
}

async function findFirst<T extends Dated>(
  collection: Collection<T>,
  { where, at, page }: Pick<PageOf<T>, 'where' | 'at' | 'page'>,
  stride: number,
): Promise<Listed<T>> {
  const { limit, offset = 0, startingAfter, endingBefore, includeTotal = false } = page;
  const total = includeTotal ? { total: await countAll(collection, { where, stride }) } : {};
  if (includeTotal) await yieldToEventLoop();
  const position = endingBefore ?? startingAfter;
  if (position === undefined) {
    const { rest, toSkip } = await skip(collection, { where, stride, offset });
    const query = { where: rest, order: NEWEST_FIRST, limit: limit + 1, offset: toSkip };
    const found = await collection.find(query);
    return { records: found.slice(0, limit), hasMore: found.length > limit, ...total };
  }
  const [anchor] = await collection.find({ where: at(position), limit: 1 });
  if (!anchor) throw new UnknownPositionError(endingBefore === undefined ? 'startingAfter' : 'endingBefore');
  const found = await collection.find(besideRecord({ where, page }, anchor));
  const hasMore = found.length > limit;
  const records = found.slice(0, limit);
  return { records: endingBefore === undefined ? records : records.toReversed(), hasMore, ...total };
}

/** Adds the next records to those of a page that were read, in a later turn of the event loop. */
async function readOn<T extends Dated>(
  collection: Collection<T>,
  { where, page: { limit, endingBefore }, atOnce }: { where: Filter<T>; page: Page; atOnce: number },
  listed: Listed<T>,
): Promise<Listed<T>> {
  await yieldToEventLoop();
  const { records } = listed;
  const room = Math.min(atOnce, limit - records.length);
  const anchor = endingBefore === undefined ? records.at(-1) : records[0];
  if (!anchor) return { ...listed, hasMore: false };
  const found = await collection.find(besideRecord({ where, page: { limit: room, endingBefore } }, anchor));
  const added = found.slice(0, room);
  return {
    ...listed,
    records: endingBefore === undefined ? [...records, ...added] : [...added.toReversed(), ...records],
    hasMore: found.length > room,
  };
}

/**
 * Returns the query of a page beside a record: of the older records, or, with `endingBefore`, of the newer
 * ones, the oldest of them first.
 */
export function besideRecord<T extends Dated>(
  { where, page }: { where: Filter<T>; page: Page },
  { createdAt, id }: Dated,
): Query<T> & { limit: number } {
  const bounds = boundsOf(where);
  const isNewer = page.endingBefore !== undefined;
  // An index serves this bound, but not the conditions in `either`.
  const bound = isNewer
    ? { gte: Math.max(createdAt, bounds.gte ?? -Infinity) }
    : { lte: Math.min(createdAt, bounds.lte ?? Infinity) };
  const sides: Filter<Dated>[] = isNewer
    ? [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }]
    : [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }];
  const narrowed = { ...where, createdAt: { ...bounds, ...bound } } as Filter<T>;
  return {
    where: withEither(narrowed, sides as Filter<T>[]),
    order: isNewer ? OLDEST_FIRST : NEWEST_FIRST,
    limit: page.limit + 1,
  };
}

/** Adds alternatives to a filter, which may have others. */
function withEither<T>(where: Filter<T>, either: readonly Filter<T>[]): Filter<T> {
  return { ...where, either: where.either?.map((filter) => withEither(filter, either)) ?? either };
}

/** Returns the bounds of a filter by time. */
function boundsOf<T extends Dated>({ createdAt }: Filter<T>): Bounds {
  return typeof createdAt === 'number' ? { lte: createdAt, gte: createdAt } : ((createdAt ?? {}) as Bounds);
}

/** A filter of records by the time of their creation. */
interface Range<T> {
  where: Filter<T>;
  stride: number;
}

/**
 * Narrows a filter to the records after about `stride` of the matching ones. Returns the number of skipped
 * records, and `undefined` if fewer records match.
 */
async function advance<T extends Dated>(
  collection: Collection<T>,
  { where, stride }: Range<T>,
): Promise<{ skipped: number; rest: Filter<T> } | undefined> {
  const narrowed = (more: Filter<Dated>) => ({ ...where, ...more }) as Filter<T>;
  const [reached] = await collection.find({ where, order: NEWEST_FIRST, limit: 1, offset: stride });
  if (!reached) return undefined;
  const { createdAt, id } = reached;
  // The rest begins with all records of this time, some of which are among the first ones.
  const passed = await collection.count(narrowed({ createdAt, id: { gt: id } }));
  if (passed >= stride) return undefined;
  await yieldToEventLoop();
  const rest = narrowed({ createdAt: { ...boundsOf(where), lte: createdAt } });
  return { skipped: stride - passed, rest };
}

async function skip<T extends Dated>(
  collection: Collection<T>,
  { where, stride, offset }: Range<T> & { offset: number },
): Promise<{ rest: Filter<T>; toSkip: number }> {
  let [rest, toSkip] = [where, offset];
  while (toSkip > stride) {
    const step = await advance(collection, { where: rest, stride });
    if (!step) break;
    rest = step.rest;
    toSkip -= step.skipped;
  }
  return { rest, toSkip };
}

async function countAll<T extends Dated>(
  collection: Collection<T>,
  { where, stride }: Range<T>,
): Promise<number> {
  let [rest, counted] = [where, 0];
  for (;;) {
    const step = await advance(collection, { where: rest, stride });
    // The search for the next step may have read as many records as the count.
    await yieldToEventLoop();
    if (!step) return counted + (await collection.count(rest));
    rest = step.rest;
    counted += step.skipped;
  }
}
