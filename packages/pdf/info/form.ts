import { type Dict, eachField } from '../objects/index.ts';

/** Tells whether a file has a form with fields, and whether a signature field of it is signed. */
export function readForm(catalog: Dict): { hasForm: boolean; hasSignatures: boolean } {
  const form = catalog.dict('AcroForm');
  const fields = form?.array('Fields') ?? [];
  const hasForm = fields.length > 0 || (form?.get('XFA') ?? null) !== null;
  let hasSignatures = false;
  eachField(fields, (field, type) => {
    if (type === 'Sig' && field.dict('V')) hasSignatures = true;
  });
  return { hasForm, hasSignatures };
}
