import type { PageObservations, Resource } from './receipt.ts';
import { CANCELED } from './resource-log.ts';

/** Tells what a strict document may not have: an asset that did not come, or a script that threw; `undefined` when all is well. */
export function findFault({
  resources,
  exceptions,
}: PageObservations): { code: 'ASSET_FAILED' | 'RENDER_FAILED'; message: string } | undefined {
  const failed = resources.entries.filter(isMissed);
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
    const name = first.url || `a resource of type ${first.type}`;
    return { code: 'ASSET_FAILED', message: `${name}: ${first.reason ?? first.outcome}${others}` };
  }
  const [thrown] = exceptions.entries;
  return thrown && { code: 'RENDER_FAILED', message: `a script failed: ${thrown.message}` };
}

/** What the document gave up itself, or only sent, is missing nowhere. */
function isMissed({ outcome, reason, type }: Resource): boolean {
  return outcome !== 'loaded' && outcome !== 'pending' && reason !== CANCELED && type !== 'Ping';
}
