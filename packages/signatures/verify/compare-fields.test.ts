import { describe, expect, test } from 'bun:test';
import { stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRaw } from '../../pdf/tests/raw-update.ts';
import { issue, toPem } from '../tests/certificates.ts';
import { SIGNED_PDF_OBJECTS, signedPdf, type SignedPdfRequest } from '../tests/sign-pdf.ts';
import { verify } from '../tests/verify-file.ts';

const root = issue({ name: 'Root' });
const roots = toPem(root);
const signer = issue({ name: 'Ada', issuer: root });
const { textField: TEXT_FIELD } = SIGNED_PDF_OBJECTS;

/** The number of the kid of the text field, and of its appearance before and after the update. */
const [KID, SIGNED_LOOK, LATER_LOOK] = [9, 10, 60];
const drawing = (operators: string) => stream(operators, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');
const docMdp = '<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P 2/V/1.2>>>>';
const fieldMdp = (rule: string) =>
  `<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</V/1.2/Action/${rule}>>>>`;
const field = (value: string, entries: string) =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(${value})${entries}>>`;
const kid = (entries: string, look: number) =>
  `<</Type/Annot/Subtype/Widget/Rect[10 40 290 190]/F 4/P 3 0 R${entries}/AP<</N ${look} 0 R>>>>`;

interface Filling extends Partial<SignedPdfRequest> {
  /** Entries of the field, and of its kid. Without those of the kid, the field has none. */
  fieldEntries?: string;
  kidEntries?: string;
}

/**
 * Signs a form, fills in its text field, and draws its kid, or the field itself, anew. Returns whether the
 * file is valid, and the faults.
 */
async function fill({
  fieldEntries = '',
  kidEntries,
  ...request
}: Filling): Promise<{ valid: boolean; faults: string[] }> {
  const kids = kidEntries === undefined ? '' : `/Kids[${KID} 0 R]`;
  const pdf = await signedPdf({
    signer,
    fieldEntries: `${kids}${fieldEntries}`,
    annotations: kidEntries === undefined ? '5 0 R 6 0 R 8 0 R' : '5 0 R 6 0 R 8 0 R 9 0 R',
    objects: [kid(kidEntries ?? '/T(unused)', SIGNED_LOOK), drawing('0 0 50 50 re f')],
    ...request,
  });
  expect(verify(pdf, { roots }).valid).toBe(true);
  const look = kidEntries === undefined ? `/AP<</N ${LATER_LOOK} 0 R>>` : '';
  const objects = {
    [TEXT_FIELD]: field('Eve', `${kids}${fieldEntries}${look}`),
    ...(kidEntries === undefined ? {} : { [KID]: kid(kidEntries, LATER_LOOK) }),
    [LATER_LOOK]: drawing('1 0 0 rg 0 0 290 190 re f'),
  };
  const { valid, signatures } = verify(appendRaw(pdf, { objects }), { roots });
  return { valid, faults: signatures.flatMap(({ faults }) => faults) };
}

const ALLOWED = { valid: true, faults: [] };
const unchanged = (name: string) => ({
  valid: false,
  faults: [`the appearance of the field ${name} changed after signing, but not its value`],
});

describe('a filled field', () => {
  test.each<[string, Filling]>([
    ['may show its value in a kid that is a widget', { kidEntries: '/Parent 6 0 R' }],
    [
      'may show its value in a kid although another field is locked',
      { kidEntries: '/Parent 6 0 R', entries: `/Reference[${fieldMdp('Include/Fields[(name.b)]')}]` },
    ],
    ['may have a flag that does not concern filling in', { fieldEntries: '/Ff 2' }],
  ])('%s', async (_, filling) => {
    expect(await fill(filling)).toEqual(ALLOWED);
  });

  test.each<[string, string, string]>([
    ['with a name', '/T(b)/Parent 6 0 R/V(PAY 100)', 'name.b'],
    ['with an empty name', '/T()/Parent 6 0 R', 'name.'],
    ['with a type', '/FT/Tx/Parent 6 0 R', 'name'],
    ['with the type of a button', '/FT/Btn/Parent 6 0 R', 'name'],
    ['that belongs to another field', '/Parent 5 0 R', 'name'],
    ['without a parent', '', 'name'],
  ])('does not permit another appearance of a kid %s', async (_, kidEntries, name) => {
    expect(await fill({ kidEntries })).toEqual(unchanged(name));
  });

  test.each(['Include/Fields[(name.b)]', 'Exclude/Fields[(name)]', 'All'])(
    'does not permit another appearance of a kid that is locked by %s',
    async (rule) => {
      const kidEntries = '/T(b)/Parent 6 0 R/V(PAY 100)';
      const { valid, faults } = await fill({ kidEntries, entries: `/Reference[${fieldMdp(rule)}]` });
      expect(valid).toBe(false);
      expect(faults).toContain(unchanged('name.b').faults[0] ?? '');
    },
  );

  test.each([
    ['not certified', ''],
    ['certified', `/Reference[${docMdp}]`],
  ])('does not permit another appearance of a signature: %s', async (_, entries) => {
    const kidEntries = '/FT/Sig/T(b)/Parent 6 0 R/V 7 0 R';
    const { valid, faults } = await fill({ kidEntries, entries });
    expect(valid).toBe(false);
    expect(faults).toContain('the field name.b changed after signing (AP)');
  });
});

describe('a read-only field', () => {
  const calculated = { fieldEntries: '/Ff 1/AA<</C<</S/JavaScript/JS(1)>>>>', formEntries: '/CO[6 0 R]' };

  test.each<[string, Filling]>([
    ['by its own flag', { fieldEntries: '/Ff 1' }],
    ['by its own flag, in a certified file', { fieldEntries: '/Ff 1', entries: `/Reference[${docMdp}]` }],
    ['with a kid', { fieldEntries: '/Ff 1', kidEntries: '/Parent 6 0 R' }],
    ['with a calculation that the form does not list', { ...calculated, formEntries: '' }],
    ['without a calculation, which the form lists', { fieldEntries: '/Ff 1', formEntries: '/CO[6 0 R]' }],
    [
      'with another action that the form lists',
      { ...calculated, fieldEntries: '/Ff 1/AA<</F<</S/JavaScript/JS(1)>>>>' },
    ],
  ])('may not be filled in: %s', async (_, filling) => {
    const { valid, faults } = await fill(filling);
    expect(valid).toBe(false);
    expect(faults).toContain('the field name changed after signing (V)');
  });

  test.each([
    ['may not be filled in', ''],
    ['may be filled in with a flag of its own', '/Ff 0'],
  ])('%s below a read-only field', async (rule, entries) => {
    const heir = (value: string) => `<</FT/Tx/T(b)/Parent 6 0 R${entries}/V(${value})>>`;
    const pdf = await signedPdf({ signer, fieldEntries: '/Ff 1/Kids[9 0 R]', objects: [heir('Ada')] });
    const { valid, signatures } = verify(appendRaw(pdf, { objects: { 9: heir('Eve') } }), { roots });
    const faults = rule === 'may not be filled in' ? ['the field name.b changed after signing (V)'] : [];
    expect([valid, signatures[0]?.faults]).toEqual([faults.length === 0, faults]);
  });

  test('may change if the signed form calculates it', async () => {
    expect(await fill(calculated)).toEqual(ALLOWED);
    expect(await fill({ ...calculated, kidEntries: '/Parent 6 0 R' })).toEqual(ALLOWED);
  });
});
