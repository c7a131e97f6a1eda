import { eachField, type PdfDocument } from '../objects/index.ts';

/** Removes the values of signatures, because rewriting a file invalidates them. Keeps their appearance. */
export function removeSignatures({ catalog }: PdfDocument): void {
  // Usage rights are signatures too.
  catalog.delete('Perms');
  catalog.dict('AcroForm')?.delete('SigFlags');
  eachField(catalog.dict('AcroForm')?.array('Fields') ?? [], (field, type) => {
    if (type === 'Sig') field.delete('V', 'Lock', 'SV');
  });
}
