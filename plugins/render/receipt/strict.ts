import { isAtHost, type Requirements } from '../print/requirements.ts';
import { CANCELED } from './failure-reason.ts';
import type { PageObservations, Resource } from './receipt.ts';

/** Finds the first problem that fails a document with these requirements. */
export function findProblem(
  { resources, exceptions }: PageObservations,
  { assets, scripts }: Requirements,
): { code: 'ASSET_FAILED' | 'SCRIPT_ERROR'; message: string } | undefined {
  const missing = assets && describeMissing(resources, assets);
  if (missing !== undefined) return { code: 'ASSET_FAILED', message: missing };
  const [thrown] = scripts ? exceptions.entries : [];
  return thrown && { code: 'SCRIPT_ERROR', message: `a script failed: ${thrown.message}` };
}

function describeMissing(
  { entries, omitted }: PageObservations['resources'],
  { except }: NonNullable<Requirements['assets']>,
): string | undefined {
  const missing = entries.filter(isMissing);
  const failed = missing.filter(({ url }) => !isAtHost(url, except));
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
    const name = first.url || `a resource of type ${first.type}`;
    return `${name}: ${first.reason ?? first.outcome}${others}`;
  }
  // Failed assets are listed first, so a full list of them may omit others.
  const mayOmit = omitted > 0 && missing.length > 0 && missing.length === entries.length;
  return mayOmit
    ? `more than ${missing.length} assets failed, too many to tell whether all are on ignored hosts`
    : undefined;
}

/** Canceled requests and pings do not count, because the document does not need their responses. */
function isMissing({ outcome, reason, type }: Resource): boolean {
  return outcome !== 'loaded' && outcome !== 'pending' && reason !== CANCELED && type !== 'Ping';
}
