import { type PdfDocument, eachField } from '@platen/pdf/objects';

/**
 * Removes forbidden entries from a form: actions, XFA and NeedAppearances (6.6, 6.9). Also removes
 * signatures, because they would be invalid.
 */
export function cleanForm({ catalog }: PdfDocument): void {
  const form = catalog.dict('AcroForm');
  if (!form) {
    catalog.delete('AcroForm');
    return;
  }
  form.delete('XFA', 'NeedAppearances', 'SigFlags', 'CO');
  eachField(form.array('Fields') ?? [], (field, type) => {
    field.delete('AA', 'A');
    if (type === 'Sig') field.delete('V', 'Lock', 'SV');
  });
}
