import { encodeText, name, Dict, PdfString, type PdfDocument } from '../../objects/index.ts';
import type { Field } from '../fields/field.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Edits } from './edits.ts';

/**
 * Updates the form after filling. Lists all filled fields, gives them a default appearance for later edits, and removes
 * `NeedAppearances` so that readers keep the appearances. Removes XFA, which would show the old values, and the usage
 * rights that forbid this.
 */
export function finishForm(document: PdfDocument, form: Form, filled: readonly Field[], edits: Edits): void {
  const { dict } = form;
  if (dict?.get('NeedAppearances') === true) edits.touchForm().delete('NeedAppearances');
  if (form.xfa) {
    edits.touchForm().delete('XFA');
    dropUsageRights(document, edits);
  }
  if (form.unlisted.length > 0) {
    const listed = dict?.array('Fields') ?? [];
    const unlisted = form.unlisted.filter((root) => !listed.includes(root));
    if (unlisted.length > 0) edits.touchForm().set('Fields', [...listed, ...unlisted]);
  }
  const drawn = filled.filter((field) => field.kind !== 'checkbox' && field.kind !== 'radio');
  if (drawn.every((field) => field.get('DA') instanceof PdfString || ownAppearance(field))) return;
  const defaults = edits.touchForm();
  defaults.set('DA', encodeText('/Helv 0 Tf 0 g'));
  const resources = defaults.dict('DR')?.copy() ?? new Dict();
  const fonts = resources.dict('Font')?.copy() ?? new Dict();
  if (!fonts.dict('Helv')) {
    const entries = { Type: name('Font'), Subtype: name('Type1'), BaseFont: name('Helvetica') };
    fonts.set('Helv', Dict.of({ ...entries, Encoding: name('WinAnsiEncoding') }));
    defaults.set('DR', resources.set('Font', fonts));
  }
}

function ownAppearance({ widgets }: Field): boolean {
  return widgets.every(({ dict }) => dict.map.has('DA'));
}

/** Removes the usage rights of Adobe Reader, which apply to the original file. */
export function dropUsageRights({ catalog }: PdfDocument, edits: Edits): void {
  const kept = withoutUsageRights(catalog);
  if (kept) edits.touchCatalog().set('Perms', kept.map.size > 0 ? kept : undefined);
}

/** Returns the permissions dictionary without usage rights, or `undefined` if it has none. */
export function withoutUsageRights(catalog: Dict): Dict | undefined {
  const permissions = catalog.dict('Perms');
  if (!permissions?.map.has('UR') && !permissions?.map.has('UR3')) return undefined;
  return permissions.copy().delete('UR', 'UR3');
}
