import { encodeText, name, Dict, PdfString, type PdfDocument } from '../../objects/index.ts';
import type { Edits } from '../edits/edits.ts';
import { dropUsageRights } from '../edits/usage-rights.ts';
import type { Field } from '../fields/field.ts';
import type { Form } from '../fields/read-fields.ts';

/**
 * Updates the form after filling. Lists all filled fields, gives them a default appearance for later edits,
 * and removes `NeedAppearances` so that readers keep the appearances. Removes XFA, which would show the old
 * values, and the usage rights that forbid this.
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
