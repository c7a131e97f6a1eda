import { expect, test } from 'bun:test';
import { readFieldsWithQpdf } from '../../forms/qpdf-fields.ts';
import { addFieldsClient } from '../../support/pdf/forms-client.ts';
import { describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { pagesPdf, plainPdf, stream, withQpdf } from '../../support/pdf/samples.ts';
import { docMdp, signedPdf } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const { add, refusal } = addFieldsClient(service);

const at = { page: 0, x: 20, y: 20 };
const text = { name: 'name', type: 'text', ...at };

describeWithPdfTools('adding fields to an existing file', () => {
  test('keeps the form, its flags and its fonts', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(old)/V(value)')], {
      form: '/NeedAppearances true/CO[6 0 R]',
    }).replace('/BaseFont/Helvetica', '/BaseFont/Courier  ');
    const filled = await add(pdf, text);
    await qpdfCheck(filled);
    const objects = await readQpdf(filled);
    const form = objects.dictionary(objects.catalog['/AcroForm']);
    expect(form).toMatchObject({ '/NeedAppearances': true, '/CO': ['6 0 R'], '/DA': 'u:/Helv 0 Tf 0 g' });
    const fonts = objects.dictionary(objects.dictionary(form['/DR'])['/Font']);
    const added = objects.dictionary(objects.list(form['/Fields']).at(-1));
    // In this form the name /Helv belongs to another font.
    expect(objects.dictionary(fonts['/Helv'])['/BaseFont']).toBe('/Courier');
    expect(added['/DA']).toBe('u:/Helv2 0 Tf 0 g');
    expect(objects.dictionary(fonts['/Helv2'])['/BaseFont']).toBe('/Helvetica');
    expect((await readFieldsWithQpdf(filled))[0]).toMatchObject({ name: 'old', value: 'value' });
  });

  test.each([
    ['a flat number tree', '<</Nums[0 [6 0 R]]>>', '', 1],
    ['a nested number tree', '<</Kids[8 0 R]>>', '/ParentTreeNextKey 7', 7],
  ])('adds the fields to the structure tree of a tagged file, with %s', async (_, numbers, more, first) => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/StructParents 0/Contents 9 0 R/Resources<<>>>>',
      `<</Type/StructTreeRoot/K 5 0 R/ParentTree 7 0 R${more}>>`,
      '<</Type/StructElem/S/Document/P 4 0 R/K 6 0 R>>',
      '<</Type/StructElem/S/P/P 5 0 R/Pg 3 0 R/K 0>>',
      numbers,
      '<</Nums[0 [6 0 R]]/Limits[0 0]>>',
      stream('/P<</MCID 0>>BDC 0 0 10 10 re f EMC'),
    ]);
    const button = { name: 'r', type: 'radio', page: 0, y: 50 };
    const result = await add(pdf, text, { ...button, x: 0, option: 'a' }, { ...button, x: 30, option: 'b' });
    await qpdfCheck(result);
    expect(result.subarray(0, pdf.length).toString('latin1')).toBe(pdf);
    const objects = await readQpdf(result);
    const widgets = objects.list(objects.pages[0]?.['/Annots']);
    expect(widgets.map((each) => objects.dictionary(each)['/StructParent'])).toEqual(
      [0, 1, 2].map((n) => first + n),
    );
    const root = objects.dictionary(objects.catalog['/StructTreeRoot']);
    expect(root['/ParentTreeNextKey']).toBe(first + 3);
    const whole = objects.dictionary(root['/K']);
    const [paragraph, ...elements] = objects.list(whole['/K']);
    expect(objects.dictionary(paragraph)['/S']).toBe('/P');
    expect(
      elements.map((element) => {
        const { '/S': role, '/P': parent, '/K': kid } = objects.dictionary(element);
        return [role, parent, objects.dictionary(kid)['/Obj']];
      }),
    ).toEqual(widgets.map((each) => ['/Form', root['/K'], each]));
    const tree = objects.dictionary(root['/ParentTree']);
    const leaves =
      tree['/Kids'] === undefined
        ? [tree]
        : objects.list(tree['/Kids']).map((leaf) => objects.dictionary(leaf));
    const [, , ...added] = leaves.flatMap((leaf) => objects.list(leaf['/Nums']));
    expect(added).toEqual(elements.flatMap((element, index) => [first + index, element]));
  });

  test('adds a field once to a page that is shown twice', async () => {
    const pdf = pagesPdf(2).replace('5 0 R 7 0 R', '5 0 R 5 0 R');
    const filled = await add(pdf, { ...text, page: 1 });
    await qpdfCheck(filled);
    const objects = await readQpdf(filled);
    expect(objects.pages.map((page) => objects.list(page['/Annots']).length)).toEqual([0, 1]);
  });

  test('removes an XFA form next to an AcroForm, and rejects a file with only an XFA form', async () => {
    const both = await add(formPdf([widget('/FT/Tx/T(old)')], { form: '/XFA[(a)(b)]' }), text);
    const objects = await readQpdf(both);
    expect(Object.keys(objects.dictionary(objects.catalog['/AcroForm']))).not.toContain('/XFA');
    expect((await readFieldsWithQpdf(both)).map(({ name }) => name)).toEqual(['old', 'name']);
    expect(await refusal(formPdf([], { form: '/XFA[(a)(b)]' }), text)).toStartWith(
      'pdf: has only an XFA form',
    );
  });

  test('keeps the encryption of a file without a password, and respects its permissions', async () => {
    const options = ['--encrypt', '', 'owner', '256'];
    const filled = await add(withQpdf(pagesPdf(1), [...options, '--']), { ...text, tooltip: 'Größe 王' });
    await qpdfCheck(filled);
    const objects = await readQpdf(filled);
    expect(objects.dictionary(objects.list(objects.pages[0]?.['/Annots'])[0])['/TU']).toBe('u:Größe 王');
    expect((await service().post('/v1/pdf/info', { pdf: base64(filled) })).body.encrypted).toBe(true);
    for (const denied of ['--modify=form', '--modify=none'])
      expect(await refusal(withQpdf(pagesPdf(1), [...options, denied, '--']), text)).toBe(
        'pdf: is encrypted, and its permissions do not allow new form fields',
      );
  });

  test.each([
    ['no changes', docMdp('/P 1')],
    ['only filling in forms and signing', docMdp('/P 2')],
    ['only filling in forms, signing and annotations', docMdp('/P 3')],
  ])('rejects a file certified for %s', async (allows, reference) => {
    const pdf = signedPdf('', reference, '/Perms<</DocMDP 5 0 R>>');
    expect(await refusal(pdf, text)).toStartWith(`pdf: has a signature that allows ${allows} (DocMDP`);
  });

  const toSign = { name: 'next', type: 'signature', ...at };

  test('adds signature fields to a signed file without changing its bytes', async () => {
    const pdf = Buffer.from(signedPdf('', ''), 'latin1');
    const result = await add(pdf, toSign);
    await qpdfCheck(result);
    expect(result.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect((await readFieldsWithQpdf(result)).map(({ name }) => name)).toContain('next');
    const damaged = signedPdf('', '').replace(/startxref\n\d+/, 'startxref\n99999');
    expect(await refusal(damaged, toSign)).toStartWith('pdf: is signed and damaged');
  });

  test('rejects other fields in a signed file, and names that a signature locks', async () => {
    expect(await refusal(signedPdf('', ''), toSign, text)).toBe(
      'fields[1].type: must be signature, because the PDF is signed: any other new field would invalidate the signature',
    );
    const fieldMdp = (entries: string) =>
      `/Reference[<</TransformMethod/FieldMDP/TransformParams<<${entries}>>>>]`;
    for (const locked of [
      signedPdf('', fieldMdp('/Action/All')),
      signedPdf('', fieldMdp('/Action/Exclude/Fields[(s)]')),
      signedPdf('/Lock<</Action/Include/Fields[(next)]>>', ''),
    ])
      expect(await refusal(locked, toSign)).toStartWith('fields[0].name: "next" is locked by a signature');
    const unlocked = await add(signedPdf('/Lock<</Action/Include/Fields[(s)]>>', ''), toSign);
    expect((await readFieldsWithQpdf(unlocked)).map(({ name }) => name)).toContain('next');
  });

  test('removes Adobe usage rights, which are not a signature', async () => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Perms<</UR3 4 0 R>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
      '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>/Reference[<</TransformMethod/UR3>>]>>',
    ]);
    const result = await add(pdf, text);
    await qpdfCheck(result);
    const { catalog } = await readQpdf(result);
    expect(catalog['/AcroForm']).toBeDefined();
    expect(catalog['/Perms']).toBeUndefined();
  });
});
