import { Dict, resolve, type PdfObject } from '@platen/pdf/objects';
import { isAllowedAction } from '../../pdfa-check/allowed-actions.ts';

const MAX_CHAIN = 1_000;

/**
 * Removes forbidden actions from a chain, and keeps the allowed actions that follow them, except that only
 * the first of several replaces a forbidden one. Changes the chain in place, and tolerates cycles. Returns
 * the first remaining action; `undefined` if none remains.
 */
export function allowedActions(
  action: PdfObject | undefined,
  seen: Set<Dict> = new Set<Dict>(),
): PdfObject | undefined {
  const dict = resolve(action);
  if (!(dict instanceof Dict) || action === undefined || seen.size > MAX_CHAIN) return undefined;
  if (seen.has(dict)) return isAllowedAction(dict) ? action : undefined;
  seen.add(dict);
  const next = dict.get('Next');
  const following = (Array.isArray(next) ? next : [dict.raw('Next')]).flatMap(
    (follower) => allowedActions(follower, seen) ?? [],
  );
  const [first] = following;
  if (isAllowedAction(dict)) {
    dict.set('Next', following.length > 1 ? following : first);
    return action;
  }
  return first;
}
