import { Dict, type PdfDocument, eachField } from '../../objects/index.ts';

/** Tells whether a document has a signature, which no conversion leaves valid. */
export function isSigned({ catalog }: PdfDocument): boolean {
  let signed = false;
  eachField(catalog.dict('AcroForm')?.array('Fields') ?? [], (field, type) => {
    if (type === 'Sig' && field.dict('V')) signed = true;
  });
  return signed || catalog.dict('Perms')?.dict('DocMDP') !== undefined;
}

/** A form, and whether readers were to draw the values of its fields anew. */
export interface CleanForm {
  form: Dict;
  redraw: boolean;
}

/** Leaves a form what PDF/A-1b allows: no scripts and actions, no XFA, no signatures, and appearances as they stand (6.6, 6.9). */
export function cleanForm({ catalog }: PdfDocument): CleanForm | undefined {
  const form = catalog.dict('AcroForm');
  if (!form) {
    catalog.delete('AcroForm');
    return undefined;
  }
  const redraw = form.get('NeedAppearances') === true;
  form.delete('XFA', 'NeedAppearances', 'SigFlags', 'CO');
  eachField(form.array('Fields') ?? [], (field, type) => {
    field.delete('AA', 'A');
    if (type === 'Sig') field.delete('V', 'Lock', 'SV');
  });
  return { form, redraw };
}
