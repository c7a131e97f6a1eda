import { yieldToEventLoop, type Collection } from '../../src/plugin.ts';
import type { Generation } from './contract.ts';
import type { GenerationQuery } from './generation-query.ts';

/** How many records are skipped at once. The embedded database needs a few milliseconds for them, in this thread. */
const MAX_SKIP = 20_000;

/**
 * Reads a page of generations like `find`. Skips a large offset in steps, and yields to other requests in between.
 */
export async function findPage(
  generations: Collection<Generation>,
  { where, order, limit, offset }: GenerationQuery,
  stride = MAX_SKIP,
): Promise<Generation[]> {
  let left = offset;
  let from = where;
  while (left > stride) {
    const [reached] = await generations.find({ where: from, order, limit: 1, offset: stride });
    if (!reached) return [];
    const { createdAt, id } = reached;
    // The next step starts with all records of this time, and some of them are skipped already.
    const passed = await generations.count({ ...where, createdAt, id: { gt: id } });
    if (passed >= stride) break;
    from = { ...where, createdAt: { lte: createdAt } };
    left -= stride - passed;
    await yieldToEventLoop();
  }
  return generations.find({ where: from, order, limit, offset: left });
}
