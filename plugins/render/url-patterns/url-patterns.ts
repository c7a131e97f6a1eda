import { AsyncLocalStorage } from 'node:async_hooks';
import { inBatches } from '@platen/runtime';
import { AppError, explainTaskFailure, type Sandbox } from '../../../src/plugin.ts';
import type { PatternFault } from './task.ts';

export type { PatternFault } from './task.ts';

/**
 * Tells for each pattern whether a URL matches it. Rejects when that takes too long, and then for all other
 * URLs too.
 */
export type MatchUrl = (url: string) => Promise<readonly boolean[]>;

/** Reads patterns of callers for the URLs of a page, in the syntax of RE2. */
export type ReadUrlPatterns = (
  patterns: readonly string[],
) => Promise<{ match: MatchUrl } | { fault: PatternFault }>;

/** How many URLs are matched at once. A page may send hundreds of requests at the same time. */
const BATCH = 50;
/** Compiling usually takes less than a millisecond. */
const TIMEOUT_MS = 1_000;

const FAILURES = {
  path: 'pattern',
  deadline: 'takes too long to match',
  memory: 'takes too much memory to match',
  waiting: 'patterns',
  failed: 'the pattern could not be matched',
};

/** Creates the reader, which compiles and matches in the sandbox. */
export function createUrlPatterns(sandbox: Sandbox): ReadUrlPatterns {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  return async (patterns) => {
    const fault = await tasks.findFault({ patterns }, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      const failure = explainTaskFailure(error, FAILURES);
      if (failure instanceof AppError && failure.code === 'VALIDATION_ERROR') return { index: 0 };
      throw failure;
    });
    if (fault) return { fault };
    // A process of the sandbox that is killed takes time to replace.
    let failure: unknown;
    const matchInTurn = inBatches(
      async (urls: readonly string[]) => {
        if (failure !== undefined) throw failure;
        return tasks.matchUrls({ urls, patterns }, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
          failure = explainTaskFailure(error, FAILURES);
          throw failure;
        });
      },
      { size: BATCH },
    );
    let last: { url: string; matches: ReturnType<MatchUrl> } | undefined;
    const match: MatchUrl = async (url) => {
      if (last?.url !== url) last = { url, matches: matchInTurn(url) };
      return last.matches;
    };
    // Requests of a page are events of the browser, outside of the work of the account.
    return { match: AsyncLocalStorage.bind(match) };
  };
}
