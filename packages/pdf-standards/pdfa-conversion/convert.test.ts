import { expect, test } from 'bun:test';
import { Dict, PdfDocument, PdfStream, readPages, resolve } from '@platen/pdf/objects';
import { plainPdf } from '../../pdf/tests/plain-pdf.ts';
import { convertToPdfa } from './convert.ts';

/** A form whose only field has no appearance, so that its value is drawn in a standard font. */
const formWith = (value: string) =>
  Buffer.from(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/NeedAppearances true/DA(/Helv 10 Tf 0 g)>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>/Annots[4 0 R]>>',
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(${value})/Rect[10 10 190 30]>>`,
    ]),
    'latin1',
  );

/** Returns the widths of the font of the field's appearance. */
function widthsOf(pdf: Uint8Array): unknown[] {
  const [page] = readPages(PdfDocument.open(pdf)).pages;
  const widget = resolve(page?.dict.array('Annots')?.[0]);
  const drawn = widget instanceof Dict ? widget.dict('AP')?.get('N') : undefined;
  const fonts = drawn instanceof PdfStream ? drawn.dict.dict('Resources')?.dict('Font') : undefined;
  const [key = ''] = fonts?.map.keys() ?? [];
  return fonts?.dict(key)?.array('Widths') ?? [];
}

test('a conversion does not affect the fonts of the next document', async () => {
  await convertToPdfa(formWith('AB'), {});
  const converted = await convertToPdfa(formWith('xyz'), {});
  // The widths of Helvetica.
  expect(widthsOf(converted)).toEqual([500, 500, 500]);
});
