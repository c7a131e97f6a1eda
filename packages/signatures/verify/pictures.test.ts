import { describe, expect, test } from 'bun:test';
import { SIGNED_PDF_OBJECTS, signedPdf } from '../tests/sign-pdf.ts';
import { issue } from '../tests/certificates.ts';
import { stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRaw, type RawUpdate } from '../../pdf/tests/raw-update.ts';
import { comparePictures } from './pictures.ts';

const { content: CONTENT, textField: TEXT_FIELD } = SIGNED_PDF_OBJECTS;
const pdf = await signedPdf({ signer: issue({ name: 'Ada' }) });

/** Compares a signed file with a changed one. Returns the problem. */
async function problemOf(update: RawUpdate, box?: readonly number[]): Promise<string | undefined> {
  const areas = box ? [{ page: 0, box }] : [];
  const problems = await comparePictures(appendRaw(pdf, update), [{ end: pdf.length, areas }]);
  return problems.get(pdf.length);
}

describe('pictures of a signed revision', () => {
  const drawing = { objects: { [CONTENT]: stream('0 0 100 100 re f 120 120 40 20 re f') } };
  const different = 'page 1 does not look as it did when it was signed';

  test('are equal after an update that changes nothing visible', async () => {
    expect(await problemOf({ objects: { 60: 'null' } })).toBeUndefined();
  });

  test('differ after a change outside the permitted areas', async () => {
    expect(await problemOf(drawing)).toBe(different);
    expect(await problemOf(drawing, [120, 120, 140, 140])).toBe(different);
    expect(await problemOf(drawing, [160, 140, 120, 120])).toBeUndefined();
  });

  test('differ if a form field looks different', async () => {
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 110 100 130]/F 4/P 3 0 R/V(Ada)';
    const form = stream('1 0 0 rg 0 0 90 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');
    const changed = { objects: { [TEXT_FIELD]: `${field}/AP<</N 60 0 R>>>>`, 60: form } };
    expect(await problemOf(changed)).toBe(different);
    expect(await problemOf(changed, [10, 110, 100, 130])).toBeUndefined();
  });

  test('differ if PDFium shows objects that no cross-reference section names', async () => {
    const before = `${CONTENT} 0 obj\n${stream('1 0 0 rg 0 0 300 200 re f')}\nendobj\n`;
    const entry = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n\n`;
    expect(await problemOf({ objects: { 60: 'null' }, before, entry })).toBe(
      'PDFium does not accept the cross-reference sections of the file, so it can show other objects',
    );
  });

  test('cannot be compared if PDFium cannot open the file', async () => {
    const problems = await comparePictures(Buffer.from('no PDF'), [{ end: 3, areas: [] }]);
    expect(problems.get(3)).toStartWith(
      'whether the pages look as they did when they were signed cannot be determined',
    );
  });
});
