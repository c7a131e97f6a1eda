import { Dict, resolve, type PdfObject } from '../../../src/pdf/pdf.ts';

/** Tells whether a file has a form, and whether a signature field of it is signed. */
export function readForm(catalog: Dict): { hasForm: boolean; hasSignatures: boolean } {
  const form = catalog.dict('AcroForm');
  const fields = form?.array('Fields') ?? [];
  const hasForm = fields.length > 0 || (form?.get('XFA') ?? null) !== null;
  return { hasForm, hasSignatures: hasSignedField(fields) };
}

function hasSignedField(roots: readonly PdfObject[]): boolean {
  const seen = new Set<Dict>();
  const waiting = roots.map((field) => ({ field, type: '' }));
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const dict = resolve(step.field);
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict);
    const type = dict.name('FT') ?? step.type;
    if (type === 'Sig' && dict.dict('V')) return true;
    for (const field of dict.array('Kids') ?? []) waiting.push({ field, type });
  }
  return false;
}
