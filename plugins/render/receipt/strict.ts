import { CANCELED } from './failure-reason.ts';
import type { PageObservations, Resource } from './receipt.ts';

/** Finds the first problem that fails a strict document: a missing asset or an uncaught exception. */
export function findProblem({
  resources,
  exceptions,
}: PageObservations): { code: 'ASSET_FAILED' | 'SCRIPT_ERROR'; message: string } | undefined {
  const failed = resources.entries.filter(isMissing);
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
    const name = first.url || `a resource of type ${first.type}`;
    return { code: 'ASSET_FAILED', message: `${name}: ${first.reason ?? first.outcome}${others}` };
  }
  const [thrown] = exceptions.entries;
  return thrown && { code: 'SCRIPT_ERROR', message: `a script failed: ${thrown.message}` };
}

/** Canceled requests and pings do not count, because the document does not need their responses. */
function isMissing({ outcome, reason, type }: Resource): boolean {
  return outcome !== 'loaded' && outcome !== 'pending' && reason !== CANCELED && type !== 'Ping';
}
