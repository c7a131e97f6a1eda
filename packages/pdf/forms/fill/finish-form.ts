import { encodeText, name, Dict, PdfString, type PdfDocument } from '../../objects/index.ts';
import type { Field } from '../fields/field.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Edits } from './edits.ts';

/**
 * Makes the form say what its fields do: every filled field is listed, has a default appearance for readers that draw it anew when
 * it is edited, and none is drawn anew before. XFA, which would show the values of before, goes, and with it the usage rights
 * that do not allow that.
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

/** Takes the rights away that Adobe's reader grants to a file as it was. */
export function dropUsageRights({ catalog }: PdfDocument, edits: Edits): void {
  const kept = withoutUsageRights(catalog);
  if (kept) edits.touchCatalog().set('Perms', kept.map.size > 0 ? kept : undefined);
}

/** Gives the permissions of a file without the rights that Adobe's reader grants; `undefined` when it has none of these. */
export function withoutUsageRights(catalog: Dict): Dict | undefined {
  const permissions = catalog.dict('Perms');
  if (!permissions?.map.has('UR') && !permissions?.map.has('UR3')) return undefined;
  return permissions.copy().delete('UR', 'UR3');
}
