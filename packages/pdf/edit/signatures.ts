import { eachField, type Dict, type PdfDocument } from '../objects/index.ts';

/** Tells whether a document is signed. Its signatures stay valid only if its bytes do not change. */
export function isSigned({ catalog }: PdfDocument): boolean {
  let signed = catalog.dict('Perms')?.dict('DocMDP') !== undefined;
  eachSignatureField(catalog, (field) => {
    if (field.dict('V')) signed = true;
  });
  return signed;
}

/** Removes the values of signatures, which a rewritten file would invalidate. Keeps their appearance. */
export function removeSignatures({ catalog }: PdfDocument): void {
  // Usage rights are signatures too.
  catalog.delete('Perms');
  catalog.dict('AcroForm')?.delete('SigFlags');
  eachSignatureField(catalog, (field) => field.delete('V', 'Lock', 'SV'));
}

function eachSignatureField(catalog: Dict, visit: (field: Dict) => void): void {
  eachField(catalog.dict('AcroForm')?.array('Fields') ?? [], (field, type) => {
    if (type === 'Sig') visit(field);
  });
}
