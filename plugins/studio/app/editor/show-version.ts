import { forget } from '../data/resource.ts';
import type { Template } from '../data/types.ts';
import { replaceUrl } from '../router.ts';
import { isStoredDraft } from './draft-conflict.ts';

/** Forgets what other views know of a template that has changed, and names the shown version in the URL. */
export function showVersion(template: Template): void {
  forget('template');
  forget('version');
  replaceUrl(`/studio/templates/${template.id}${isStoredDraft(template) ? '?draft' : ''}`);
}
