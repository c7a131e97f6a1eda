import { toAsyncResult, type Result } from '../input.ts';
import { prove as proveClaims, type ProvenClaim } from './prove.ts';

/** Checks a document against profiles with {@link proveClaims}, returning a violation as a result for callers in another process. */
export async function prove({
  pdf,
  profiles,
}: {
  pdf: Uint8Array;
  profiles: readonly string[];
}): Promise<Result<ProvenClaim[]>> {
  return toAsyncResult('pdf', () => proveClaims(pdf, profiles));
}
