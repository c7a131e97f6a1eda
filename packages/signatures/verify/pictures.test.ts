import { describe, expect, test } from 'bun:test';
import { SIGNED_PDF_OBJECTS, signedPdf } from '../tests/sign-pdf.ts';
import { issue } from '../tests/certificates.ts';
import { stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRaw, type RawUpdate } from '../../pdf/tests/raw-update.ts';
import { PdfDocument } from '@platen/pdf/objects';
import { inspectSignatures } from './inspect.ts';
import { comparePictures } from './pictures.ts';

const { content: CONTENT, textField: TEXT_FIELD } = SIGNED_PDF_OBJECTS;
const pdf = await signedPdf({ signer: issue({ name: 'Ada' }) });

/** Compares a signed file with a changed one. Returns the fault. */
async function faultOf(update: RawUpdate, box?: readonly number[]): Promise<string | undefined> {
  const areas = box ? [{ page: 0, box }] : [];
  const faults = await comparePictures(appendRaw(pdf, update), [{ end: pdf.length, areas }]);
  return faults.get(pdf.length);
}

describe('pictures of a signed revision', () => {
  const drawing = { objects: { [CONTENT]: stream('0 0 100 100 re f 120 120 40 20 re f') } };
  const different = 'page 1 does not look as it did when it was signed';

  test('are equal after an update that changes nothing visible', async () => {
    expect(await faultOf({ objects: { 60: 'null' } })).toBeUndefined();
  });

  test('differ after a change outside the permitted areas', async () => {
    expect(await faultOf(drawing)).toBe(different);
    expect(await faultOf(drawing, [120, 120, 140, 140])).toBe(different);
    expect(await faultOf(drawing, [160, 140, 120, 120])).toBeUndefined();
  });

  test('differ if a form field looks different', async () => {
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 110 100 130]/F 4/P 3 0 R/V(Ada)';
    const form = stream('1 0 0 rg 0 0 90 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');
    const changed = { objects: { [TEXT_FIELD]: `${field}/AP<</N 60 0 R>>>>`, 60: form } };
    expect(await faultOf(changed)).toBe(different);
    expect(await faultOf(changed, [10, 110, 100, 130])).toBeUndefined();
  });

  test('differ if PDFium shows objects that no cross-reference section names', async () => {
    const before = `${CONTENT} 0 obj\n${stream('1 0 0 rg 0 0 300 200 re f')}\nendobj\n`;
    const entry = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n\n`;
    expect(await faultOf({ objects: { 60: 'null' }, before, entry })).toBe(
      'PDFium does not accept the cross-reference sections of the file, so it can show other objects',
    );
  });

  test('cannot be compared if PDFium cannot open the file', async () => {
    const faults = await comparePictures(Buffer.from('no PDF'), [{ end: 3, areas: [] }]);
    expect(faults.get(3)).toStartWith(
      'whether the pages look as they did when they were signed cannot be determined',
    );
  });
});

describe('a filled field over the page', () => {
  const resources = '<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  /**
   * Writes text in a box of 20 points at the field, signs it, fills in the field and compares the pictures.
   */
  const coverText = async (shown: string, maxCovered?: number) => {
    const content = `10 10 90 20 re S BT /F 10 Tf 20 15 Td (${shown}) Tj ET`;
    const signed = await signedPdf({ signer: issue({ name: 'Ada' }), content, resources });
    const areas = [{ page: 0, box: [100, 30, 10, 10], maxCovered }];
    const faults = await comparePictures(appendRaw(signed, { objects: { 60: 'null' } }), [
      { end: signed.length, areas },
    ]);
    return faults.get(signed.length);
  };
  const covered = 'a form field on page 1 that changed after signing lies over text that was signed';

  test.each([
    ['text', 'PAY 100', 0, covered],
    ['one digit', '1', 0, covered],
    ['lines and leaders', '____ .... ---- ( ) / $ \\205', 0, undefined],
    ['text beside its box', `${' '.repeat(40)}PAY 100`, 0, undefined],
    ['one character, which a check box may cover', 'o', 1, undefined],
    ['two characters, which a check box may not cover', 'ok', 1, covered],
    ['text, where no field was filled in', 'PAY 100', undefined, undefined],
  ])('%s', async (_, shown, maxCovered, fault) => {
    expect(await coverText(shown, maxCovered)).toBe(fault);
  });

  test('does not count the text of annotations', async () => {
    const look = stream(
      'BT /F 10 Tf 9 5 Td (Ada) Tj ET',
      `/Subtype/Form/BBox[0 0 90 20]/Resources${resources}`,
    );
    const signed = await signedPdf({
      signer: issue({ name: 'Ada' }),
      fieldEntries: '/AP<</N 9 0 R>>',
      objects: [look],
    });
    const areas = [{ page: 0, box: [10, 10, 100, 30], maxCovered: 0 }];
    const faults = await comparePictures(appendRaw(signed, { objects: { 60: 'null' } }), [
      { end: signed.length, areas },
    ]);
    expect(faults.size).toBe(0);
  });

  test('is found in the whole inspection', async () => {
    const content = 'BT /F 10 Tf 20 15 Td (PAY 100) Tj ET';
    const signed = await signedPdf({ signer: issue({ name: 'Ada' }), content, resources });
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(Eve)>>';
    const filled = appendRaw(signed, { objects: { [TEXT_FIELD]: field } });
    const { signatures } = await inspectSignatures(PdfDocument.open(filled));
    expect(signatures[0]?.later).toEqual({ changes: 'not_allowed', faults: [covered] });
  });
});
