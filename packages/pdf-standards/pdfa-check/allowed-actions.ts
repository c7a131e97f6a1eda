import type { LevelRules } from '../levels.ts';
import type { Dict } from '@platen/pdf/objects';

const ALLOWED = new Set(['GoTo', 'GoToR', 'Thread', 'URI', 'Named', 'SubmitForm']);
const ALLOWED_NAMES = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);

/**
 * Tells whether PDF/A allows an action. Ignores the actions that follow it (ISO 19005-1 6.6.1, ISO 19005-2
 * 6.5.1).
 */
export function isAllowedAction(action: Dict, { part }: Pick<LevelRules, 'part'> = { part: 1 }): boolean {
  const type = action.name('S') ?? '';
  // GoToE leads to an embedded file, which part 1 forbids.
  if (type === 'GoToE') return part > 1;
  if (type === 'Named') return ALLOWED_NAMES.has(action.name('N') ?? '');
  return ALLOWED.has(type);
}
