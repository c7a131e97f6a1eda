import type { PageOptions, Template } from '../data/types.ts';

/** The document whose pages are compared with the accepted ones: a stored version, or HTML that is not stored. */
export type Checked = { version: number } | { html_content: string };

/** The document in the editor. Templates that are files have no HTML. */
export interface EditorDocument {
  html?: string;
  data: Record<string, unknown>;
  options: PageOptions;
}

/** The value of the choice of the HTML in the editor, beside the numbers of versions. */
const EDITOR = 'editor';

/** Lists the documents that can be checked. The document of the editor comes first. */
export function targetsOf(
  template: Template,
  { html }: EditorDocument,
): (readonly [value: string, label: string])[] {
  const { version, current_version: current, draft_version: draft } = template;
  const versions = (draft === null ? [current] : [current, draft])
    .toSorted((one, other) => Number(other === version) - Number(one === version))
    .map((number) => [String(number), number === draft ? `Draft ${number}` : `Version ${number}`] as const);
  const isChanged = html !== undefined && html !== template.html_content;
  return isChanged ? [[EDITOR, 'The editor'], ...versions] : versions;
}

/** Returns the document that a choice stands for. */
export function checkedOf(target: string, { html = '' }: EditorDocument): Checked {
  return target === EDITOR ? { html_content: html } : { version: Number(target) };
}

/**
 * Identifies the document to which the results of a check belong. It stays the same when HTML that was checked
 * is stored, so that its pages can be accepted without another check.
 */
export function keyOf(template: Template, checked: Checked): string {
  const { id, version, html_content: html, options } = template;
  if ('version' in checked && (checked.version !== version || html === null))
    return `${id} ${checked.version}`;
  return JSON.stringify([id, 'version' in checked ? html : checked.html_content, options ?? {}]);
}

/** Tells whether the editor has page options that a check does not use before they are saved. */
export function hasOtherOptions({ options: stored }: Template, { options }: EditorDocument): boolean {
  return JSON.stringify(options) !== JSON.stringify(stored ?? {});
}
