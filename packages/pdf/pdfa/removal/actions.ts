import type { LevelRules } from '../levels.ts';
import { Dict, resolve, type PdfObject } from '../../objects/index.ts';

const ALLOWED = new Set(['GoTo', 'GoToR', 'Thread', 'URI', 'Named', 'SubmitForm']);
const ALLOWED_NAMES = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
const MAX_CHAIN = 1_000;

/** Tells whether PDF/A allows an action. Ignores the actions that follow it (ISO 19005-1 6.6.1, ISO 19005-2 6.5.1). */
export function isAllowedAction(action: Dict, { part }: Pick<LevelRules, 'part'> = { part: 1 }): boolean {
  const type = action.name('S') ?? '';
  // GoToE leads to an embedded file, which part 1 forbids.
  if (type === 'GoToE') return part > 1;
  if (type === 'Named') return ALLOWED_NAMES.has(action.name('N') ?? '');
  return ALLOWED.has(type);
}

/**
 * Removes forbidden actions from a chain, and keeps the allowed actions that follow them, except that only the first of several replaces a
 * forbidden one. Changes the chain in place, and tolerates cycles. Returns the first remaining action; `undefined` if none remains.
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
