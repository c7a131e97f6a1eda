import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, pdfInfo, pdfStructure, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { takeCensus } from '../../corpus/census.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';
import { signedPdf } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'pages');
const write = (pdf: string, pages: string) => client.write(pdf, { pages });

/** Returns the numbers in the texts "Page 1", "Page 2" … of a PDF, in order. */
async function order(pdf: Uint8Array): Promise<number[]> {
  await qpdfCheck(pdf);
  return [...(await pdfText(pdf)).matchAll(/Page (\d+)/g)].map(([, number]) => Number(number));
}

describe('POST /v1/pdf/pages', () => {
  test('rejects contradictory requests and names the field', async () => {
    const pdf = pagesPdf(3);
    expect(await client.rejection(pdf, {})).toBe('pages: is required, or delete');
    expect(await client.rejection(pdf, { pages: '1', delete: '2' })).toBe(
      'delete: cannot be combined with pages',
    );
    for (const pages of ['', 'odd', '1,,2', '1-2-3', '1r', 'r90', '-3'])
      expect(await client.rejection(pdf, { pages })).toStartWith('pages: must be pages and ranges');
    for (const pages of ['1r45', '1r360'])
      expect(await client.rejection(pdf, { pages })).toStartWith('pages: must rotate by');
    for (const pages of ['4', '0', '2-9', '9-'])
      expect(await client.rejection(pdf, { pages })).toMatch(/^pages: names page \d: the PDF has 3 pages$/);
    expect(await client.rejection(pdf, { pages: '1-3,'.repeat(2_499) + '1' })).toBe('status 200');
    expect(await client.rejection(pagesPdf(1_000), { pages: '1-,'.repeat(50) + '1' })).toBe(
      'pages: lists more than 50000 pages',
    );
    expect(await client.rejection(pdf, { delete: '1-' })).toBe(
      'delete: must leave at least one page: the PDF has 3 pages',
    );
    expect(await client.rejection(pdf, { delete: '7' })).toBe('delete: names page 7: the PDF has 3 pages');
    expect(await client.rejection(hostilePdfs.userPassword(), { pages: '1' })).toStartWith(
      'pdf: is encrypted and needs a password: remove it with POST /v1/pdf/unlock first',
    );
  });
});

describeWithPdfTools('the pages of a result', () => {
  test.each([
    ['1-3, 7, 5, 10-8', [1, 2, 3, 7, 5, 10, 9, 8]],
    ['9-', [9, 10]],
    ['2,2, 1-2', [2, 2, 1, 2]],
  ])('are the pages of the list %s', async (pages, expected) => {
    expect(await order(await write(pagesPdf(10), pages))).toEqual(expected);
  });

  test('are the pages that are not deleted', async () => {
    expect(await order(await client.write(pagesPdf(10), { delete: '2-4, 9-' }))).toEqual([1, 5, 6, 7, 8]);
  });

  test('are rotated in addition to their own rotation', async () => {
    const pdf = pagesPdf(2).replace('/Count 2', '/Count 2/Rotate 90');
    const info = runOn(await write(pdf, '1r90, 2, 1-2r270'), ['pdfinfo', '-l', '4', '{}']);
    const rotations = [...info.matchAll(/Page +\d rot: +(\d+)/g)].map(([, degrees]) => Number(degrees));
    expect(rotations).toEqual([180, 90, 0, 0]);
  });

  test('are decrypted', async () => {
    const info = await pdfInfo(await client.write(hostilePdfs.ownerPassword(), { pages: '1' }));
    expect([info['Title'], info['Encrypted']]).toEqual(['Secret plans', 'no']);
  });
});

/**
 * Creates five pages with links, named destinations, bookmarks, labels, an attachment and an opening action.
 */
const rich = () => {
  const page = (extra: string) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]${extra}>>`;
  const link = (target: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest ${target}>>`;
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/OpenAction[7 0 R/Fit]/PageLabels<</Nums[0<</S/r>>2<</S/D/St 9/P(A-)>>]>>/Names<</Dests<</Names[(end)[7 0 R/Fit](start)[3 0 R/Fit]]>>/EmbeddedFiles<</Names[(a.txt)14 0 R]>>>>/Dests<</old[5 0 R/Fit]>>>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R 6 0 R 7 0 R]/Count 5>>',
    page(`/Annots[${link('(end)')}${link('[4 0 R/Fit]')}${link('/old')}]`),
    page(''),
    page(`/Annots[${link('(start)')}]`),
    page(''),
    page(''),
    '<</First 9 0 R/Last 12 0 R/Count 4>>',
    '<</Title(One)/Parent 8 0 R/Next 10 0 R/Dest[3 0 R/Fit]>>',
    '<</Title(Two)/Parent 8 0 R/Prev 9 0 R/Next 11 0 R/Dest[4 0 R/Fit]>>',
    '<</Title(Five)/Parent 8 0 R/Prev 10 0 R/Next 12 0 R/Dest(end)>>',
    '<</Title(Web)/Parent 8 0 R/Prev 11 0 R/A<</S/URI/URI(https://example.com/)>>>>',
    stream('attached', '/Type/EmbeddedFile'),
    '<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 13 0 R>>>>',
  ]);
};

describeWithPdfTools('the data of a document', () => {
  test('is kept when pages are reordered', async () => {
    const pdf = await write(rich(), '5-1');
    expect(await takeCensus(pdf)).toMatchObject({
      links: 4,
      bookmarks: 4,
      labels: ['A-11', 'A-10', 'A-9', '/r2', '/r1'],
    });
    expect(pdf.includes('attached')).toBe(true);
    expect(pdf.includes('/OpenAction')).toBe(true);
  });

  test('is kept if it leads to pages of the result', async () => {
    const pdf = await write(rich(), '3, 1');
    expect(await takeCensus(pdf)).toMatchObject({ links: 2, bookmarks: 2, labels: ['A-9', '/r1'] });
    expect(pdf.includes('(end)')).toBe(false);
    expect(pdf.includes('/OpenAction')).toBe(false);
    expect(pdf.includes('attached')).toBe(true);
  });

  test('of a repeated page is repeated', async () => {
    const pdf = await write(rich(), '1, 2, 1, 5, 3');
    expect(await takeCensus(pdf)).toMatchObject({ links: 7, labels: ['/r1', '/r2', '/r1', 'A-11', 'A-9'] });
  });
});

describeWithPdfTools('a form', () => {
  test('has a field for each copy of its page', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(name)/V(Ada)'), widget('/FT/Tx/T(name-2)/V(Bob)')]);
    const result = await write(pdf, '1, 1, 1r90');
    await qpdfCheck(result);
    const { fields } = await takeCensus(result);
    expect(fields.toSorted()).toEqual(['name', 'name-2', 'name-2-2', 'name-2-3', 'name-3', 'name-4']);
    const filled = await new OperationClient(service, 'forms/fill').write(result.toString('latin1'), {
      fields: [{ name: 'name-3', value: 'Cleo' }],
    });
    const { body } = await new OperationClient(service, 'forms/list-fields').post(filled, {});
    const values = body.fields.map(({ name, value }: { name: string; value: string }) => [name, value]);
    expect(Object.fromEntries(values)).toMatchObject({ name: 'Ada', 'name-3': 'Cleo', 'name-4': 'Ada' });
  });

  test('keeps fields without a widget', async () => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R]>>',
      '<</FT/Tx/T(name)/Subtype/Widget/Rect[0 0 90 20]>>',
      '<</FT/Tx/T(hidden)/V(data)>>',
    ]);
    const result = await write(pdf, '1');
    // qpdf lists only fields with a widget.
    const { body } = await new OperationClient(service, 'forms/list-fields').post(result, {});
    expect(body.fields.map(({ name }: { name: string }) => name).toSorted()).toEqual(['hidden', 'name']);
  });

  test('with many fields cannot be repeated without limit', async () => {
    const pdf = formPdf(Array.from({ length: 1_000 }, (_, index) => widget(`/FT/Tx/T(f${index})`)));
    expect(await client.rejection(pdf, { pages: `1${',1'.repeat(200)}` })).toBe(
      'pages: repeats pages with more than 100000 annotations in total',
    );
  });

  test('loses the field of a signature', async () => {
    const pdf = signedPdf('/Subtype/Widget/Rect[0 0 9 9]/P 3 0 R', '').replace(
      '/Resources<<>>',
      '/Resources<<>>/Annots[4 0 R]',
    );
    const result = await write(pdf, '1');
    expect((await takeCensus(result)).fields).toEqual([]);
    expect(result.includes('ByteRange')).toBe(false);
  });
});

describeWithPdfTools('the tags of a document', () => {
  const tagged = () =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 3 0 R>>',
      '<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>',
      '<</Type/StructTreeRoot/K 8 0 R/ParentTree<</Nums[0[9 0 R]1[10 0 R]2 13 0 R]>>>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R/StructParents 0/Resources<</Font<</F 11 0 R>>>>/Annots[12 0 R]>>',
      stream('/P<</MCID 0>>BDC BT /F 12 Tf 20 100 Td (First) Tj ET EMC'),
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 7 0 R/StructParents 1/Resources<</Font<</F 11 0 R>>>>>>',
      stream('/P<</MCID 0>>BDC BT /F 12 Tf 20 100 Td (Second) Tj ET EMC'),
      '<</Type/StructElem/S/Document/P 3 0 R/K[9 0 R 10 0 R 13 0 R]>>',
      '<</Type/StructElem/S/P/P 8 0 R/Pg 4 0 R/K 0>>',
      '<</Type/StructElem/S/P/P 8 0 R/Pg 6 0 R/K 0>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[6 0 R/Fit]/StructParent 2>>',
      '<</Type/StructElem/S/Link/P 8 0 R/Pg 4 0 R/K<</Type/OBJR/Obj 12 0 R>>>>',
    ]);
  const texts = async (pdf: Uint8Array) =>
    (await pdfStructure(pdf)).filter((line) => line.includes('"')).map((line) => line.trim());

  test('follow the order of the pages', async () => {
    expect(await texts(await write(tagged(), '2, 1'))).toEqual(['"Second"', '"First"']);
    expect(await texts(await write(tagged(), '2'))).toEqual(['"Second"']);
  });

  test('are repeated with a page', async () => {
    const result = await write(tagged(), '1, 2, 1, 1');
    await qpdfCheck(result);
    expect(await texts(result)).toEqual(['"First"', '"Second"', '"First"', '"First"']);
    const objects = runOn(result, ['qpdf', '--qdf', '{}', '-']);
    // Each link has its own element.
    expect(new Set(objects.match(/\/StructParent \d+/g)).size).toBe(3);
    expect(objects.match(/\/Type \/OBJR/g)).toHaveLength(3);
  });
});
