import type { PageObservations } from './receipt.ts';

/** Tells what a strict document may not have: an asset that did not come, or a script that threw; `undefined` when all is well. */
export function findFault({
  resources,
  exceptions,
}: PageObservations): { code: 'ASSET_FAILED' | 'RENDER_FAILED'; message: string } | undefined {
  const failed = resources.entries.filter(({ outcome }) => outcome !== 'loaded' && outcome !== 'pending');
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
    return { code: 'ASSET_FAILED', message: `${first.url}: ${first.reason ?? first.outcome}${others}` };
  }
  const [thrown] = exceptions.entries;
  return thrown && { code: 'RENDER_FAILED', message: `a script failed: ${thrown.message}` };
}
