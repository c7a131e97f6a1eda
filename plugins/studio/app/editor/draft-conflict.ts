import type { Template } from '../data/types.ts';

/** Returns whether a template was read with its draft, not with its current version. */
export function isStoredDraft({ version, draft_version }: Template): boolean {
  return version === draft_version;
}

/** What storing a draft would undo or replace. */
export interface DraftConflict {
  /**
   * The draft is current now, the current version has changed, the draft was deleted, another draft was
   * stored, or the person has not seen the draft.
   */
  kind: 'promoted' | 'changed' | 'deleted' | 'replaced' | 'unseen';
  /** The template as it is stored now, with its current version. */
  latest: Template;
}

/** Returns what a draft of the template in the editor would undo or replace; undefined for nothing. */
export function draftConflict(stored: Template, latest: Template): DraftConflict | undefined {
  const { current_version: current, draft_version: draft } = latest;
  const isDraft = isStoredDraft(stored);
  if (current === stored.draft_version) return { kind: 'promoted', latest };
  if (current !== stored.current_version) return { kind: 'changed', latest };
  if (draft === null) return isDraft ? { kind: 'deleted', latest } : undefined;
  if (draft !== stored.draft_version) return { kind: 'replaced', latest };
  return isDraft ? undefined : { kind: 'unseen', latest };
}
