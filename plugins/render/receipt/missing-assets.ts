import { CANCELED } from './failure-reason.ts';
import type { Resource } from './receipt.ts';

/**
 * Tells whether an asset is missing in the document. Canceled requests and pings do not count, because the
 * document does not need their responses.
 */
export function isMissing({ outcome, reason, type }: Resource): boolean {
  return outcome !== 'loaded' && outcome !== 'pending' && reason !== CANCELED && type !== 'Ping';
}
