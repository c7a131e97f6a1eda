import { type PdfDocument, eachField } from '../objects/index.ts';

/** Tells whether a document is signed. Rewriting a document invalidates its signatures. */
export function isSigned({ catalog }: PdfDocument): boolean {
  let signed = false;
  eachField(catalog.dict('AcroForm')?.array('Fields') ?? [], (field, type) => {
    if (type === 'Sig' && field.dict('V')) signed = true;
  });
  return signed || catalog.dict('Perms')?.dict('DocMDP') !== undefined;
}
