import { inBatches } from '@platen/runtime';
import { AppError, explainTaskFailure, type Log, type Sandbox } from '../../../src/plugin.ts';
import type { UrlPatterns } from '../settings.ts';
import type { Verdict } from './tasks.ts';

/** Matching takes microseconds, unless a pattern of the operator takes exponential time. */
const MATCHING_LIMIT_MS = 2_000;
/** How many URLs are judged at once. A page may send hundreds of requests at the same time. */
const BATCH = 50;

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
  /** Returns a function that does the same for the many URLs of a page. It judges several at once. */
  judgeMany(patterns: UrlPatterns): (url: URL) => Promise<'listed' | 'allowed'>;
}

/** Creates a filter that matches in the sandbox. */
export function createUrlFilter(sandbox: Sandbox, log: Log): UrlFilter {
  const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));

  async function judgeAll(urls: readonly URL[], { allow, deny }: UrlPatterns): Promise<readonly Verdict[]> {
    if (allow.length === 0 && deny.length === 0) return urls.map(() => 'allowed');
    const given = { urls: urls.map(({ href }) => href), allow, deny };
    return tasks.judgeUrls(given, { timeoutMs: MATCHING_LIMIT_MS }).catch((error: unknown) => {
      const failure = explainTaskFailure(error, FAILURES);
      if (!(failure instanceof AppError) || failure.code !== 'VALIDATION_ERROR') throw failure;
      const hosts = urls.map(({ host }) => host);
      log.warn({ hosts }, 'a URL pattern of Gotenberg takes too long; the URLs were denied');
      return urls.map(() => 'denied');
    });
  }

  function requireAllowed(url: URL, verdict: Verdict): 'listed' | 'allowed' {
    if (verdict === 'listed' || verdict === 'allowed') return verdict;
    log.info(`'${shown(url)}' ${REFUSALS[verdict]}`);
    throw forbidden();
  }

  function judgeMany(patterns: UrlPatterns): (url: URL) => Promise<'listed' | 'allowed'> {
    const judgeInTurn = inBatches((urls: readonly URL[]) => judgeAll(urls, patterns), { size: BATCH });
    return async (url) => requireAllowed(url, await judgeInTurn(url));
  }

  return { judgeMany, judge: (url, patterns) => judgeMany(patterns)(url) };
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
