import { AppError, explainTaskFailure, type Log, type Sandbox } from '../../../src/plugin.ts';
import type { UrlPatterns } from '../settings.ts';

/** Matching takes microseconds, unless a pattern of the operator takes exponential time. */
const MATCHING_LIMIT_MS = 2_000;

const FAILURES = {
  path: 'url',
  deadline: 'takes too long to match',
  memory: 'takes too much memory to match',
  waiting: 'URLs',
  failed: 'the URL could not be matched',
};

/** Judges URLs of callers by the operator's patterns. */
export interface UrlFilter {
  /**
   * Tells whether a URL is allowed by name or because no pattern forbids it.
   * @throws {AppError} FORBIDDEN if it is not allowed
   */
  judge(url: URL, patterns: UrlPatterns): Promise<'listed' | 'allowed'>;
}

/** Creates a filter that matches in the sandbox. */
export function createUrlFilter(sandbox: Sandbox, log: Log): UrlFilter {
  const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
  return {
    async judge(url, { allow, deny }) {
      if (allow.length === 0 && deny.length === 0) return 'allowed';
      const verdict = await tasks
        .judgeUrl({ url: url.href, allow, deny }, { timeoutMs: MATCHING_LIMIT_MS })
        .catch((error: unknown) => {
          const failure = explainTaskFailure(error, FAILURES);
          if (!(failure instanceof AppError) || failure.code !== 'VALIDATION_ERROR') throw failure;
          log.warn({ host: url.host }, 'a URL pattern of Gotenberg takes too long; the URL was denied');
          return 'denied' as const;
        });
      if (verdict === 'listed' || verdict === 'allowed') return verdict;
      log.info(`'${shown(url)}' ${REFUSALS[verdict]}`);
      throw forbidden();
    },
  };
}

const REFUSALS = {
  denied: 'matches the expression from the denied list',
  unlisted: 'does not match any expression from the allowed list',
};

/** Shows a URL in the log. The path and the query of a web address may be secret. */
function shown({ href, origin }: URL): string {
  return origin === 'null' ? href : origin;
}

/** Creates the error for a URL that may not be opened. */
export function forbidden(cause?: unknown): AppError {
  return new AppError('FORBIDDEN', 'Forbidden', { cause });
}
