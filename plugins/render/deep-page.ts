import { yieldToEventLoop, type Collection } from '../../src/plugin.ts';
import type { Generation } from './contract.ts';
import type { GenerationQuery } from './generation-query.ts';

/** Some milliseconds of an embedded database, which skips records in this thread. */
const SKIPPED_AT_ONCE = 20_000;

/**
 * Reads a page of generations, newest first, ties by id, as `find` does; over a large offset it goes in steps, between which other
 * requests have their turn. The longer way is the caller's own.
 */
export async function findPage(
  generations: Collection<Generation>,
  { where, order, limit, offset }: GenerationQuery,
  stride = SKIPPED_AT_ONCE,
): Promise<Generation[]> {
  let left = offset;
  let from = where;
  while (left > stride) {
    const [reached] = await generations.find({ where: from, order, limit: 1, offset: stride });
    if (!reached) return [];
    const { createdAt, id } = reached;
    // The next step begins with all of this time, of which some are passed already.
    const passed = await generations.count({ ...where, createdAt, id: { gt: id } });
    if (passed >= stride) break;
    from = { ...where, createdAt: { lte: createdAt } };
    left -= stride - passed;
    await yieldToEventLoop();
  }
  return generations.find({ where: from, order, limit, offset: left });
}
