import { describe, expect, test } from 'bun:test';
import { readFieldsWithQpdf, type Rect } from '../forms/qpdf-fields.ts';
import { describeWithPdfTools, qpdfCheck } from '../support/pdf.ts';
import { readQpdf, type QpdfDictionary } from '../support/qpdf-objects.ts';
import { sharedService } from '../support/shared-service.ts';
import { base64 } from '../support/stamping.ts';
import { formPdf, widget } from './form-samples.ts';
import { pagesPdf, plainPdf, stream, withQpdf } from './pdf-samples.ts';
import { docMdp, signedPdf } from './signed-samples.ts';

const service = sharedService();

const post = (pdf: string | Uint8Array, fields: unknown, more: object = {}) =>
  service().post('/v1/pdf/forms/add-fields', { pdf: base64(pdf), fields, output: 'base64', ...more });

/** Adds fields and gives the result. @throws {Error} with what the service says. */
async function add(pdf: string | Uint8Array, ...fields: object[]): Promise<Buffer> {
  const { status, body } = await post(pdf, fields);
  if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
  return Buffer.from(body.data, 'base64');
}

/** Expects 400 and gives its message. */
async function refusal(pdf: string | Uint8Array, ...fields: object[]): Promise<string> {
  const { status, body } = await post(pdf, fields);
  expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return body.error.message;
}

const at = { page: 0, x: 20, y: 20 };
const text = { name: 'name', type: 'text', ...at };

describeWithPdfTools('fields of every type', () => {
  test('are what qpdf reads, in a file whose bytes are the old ones and more', async () => {
    const pdf = pagesPdf(2);
    const radio = { name: 'size', type: 'radio', page: 1, y: 50 };
    const filled = await add(
      pdf,
      text,
      { name: 'agree', type: 'checkbox', page: 1, x: 0, y: 0 },
      { name: 'sent', type: 'checkbox', page: 1, x: 20, y: 0, defaultValue: true },
      { name: 'country', type: 'dropdown', page: 1, x: 50, y: 0, options: ['Chile', '日本'] },
      { ...radio, x: 0, option: 'small' },
      { ...radio, x: 20, option: 'größer', defaultValue: true },
      { name: 'signature', type: 'signature', page: 1, x: 50, y: 100 },
    );
    await qpdfCheck(filled);
    expect(filled.subarray(0, pdf.length).toString('latin1')).toBe(pdf);
    const fields = await readFieldsWithQpdf(filled);
    expect(fields.map(({ name, type, value }) => [name, type, value])).toEqual([
      ['name', 'text', ''],
      ['agree', 'checkbox', false],
      ['sent', 'checkbox', true],
      ['country', 'dropdown', ''],
      ['size', 'radio', 'größer'],
      ['signature', 'signature', ''],
    ]);
    expect(fields.map(({ widgets }) => widgets.map(({ page, rect }) => [page, ...rect]))).toEqual([
      [[1, 20, 20, 220, 40]],
      [[2, 0, 0, 14, 14]],
      [[2, 20, 0, 34, 14]],
      [[2, 50, 0, 250, 20]],
      [
        [2, 0, 50, 14, 64],
        [2, 20, 50, 34, 64],
      ],
      [[2, 50, 100, 250, 160]],
    ]);
    expect(fields[3]?.options.map(({ value }) => value)).toEqual(['Chile', '日本']);
  });

  test('have an appearance for each state, and say what readers draw new values with', async () => {
    const objects = await readQpdf(
      await add(
        pagesPdf(1),
        { ...text, font_size: 9, multiline: true, required: true, tooltip: 'Your name' },
        { name: 'agree', type: 'checkbox', ...at, defaultValue: true },
        { name: 'size', type: 'radio', ...at, option: 'S' },
      ),
    );
    const form = objects.dictionary(objects.catalog['/AcroForm']);
    const [first, tick, radio] = objects.list(form['/Fields']).map((field) => objects.dictionary(field));
    expect(first).toMatchObject({ '/Ff': 4098, '/DA': 'u:/Helv 9 Tf 0 g', '/TU': 'u:Your name', '/F': 4 });
    const fonts = objects.dictionary(objects.dictionary(form['/DR'])['/Font']);
    expect(objects.dictionary(fonts['/Helv'])).toMatchObject({
      '/BaseFont': '/Helvetica',
      '/Encoding': '/WinAnsiEncoding',
    });
    expect(objects.dictionary(fonts['/ZaDb'])['/BaseFont']).toBe('/ZapfDingbats');
    expect(tick).toMatchObject({ '/V': '/Yes', '/DV': '/Yes', '/AS': '/Yes' });
    const states = (owner: QpdfDictionary = {}) =>
      Object.keys(objects.dictionary(objects.dictionary(owner['/AP'])['/N']));
    expect(states(tick)).toEqual(expect.arrayContaining(['/Yes', '/Off']));
    const [button] = objects.list(radio?.['/Kids']).map((kid) => objects.dictionary(kid));
    expect([button?.['/AS'], radio?.['/V']]).toEqual(['/Off', '/Off']);
    expect(states(button)).toEqual(expect.arrayContaining(['/S', '/Off']));
  });

  test.each([0, 90, 180, 270])('lie where they are wanted on a page turned by %d', async (rotation) => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1/Rotate ${rotation}>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 400]/CropBox[50 30 350 230]/UserUnit 2/Resources<<>>>>',
    ]);
    const place = { x: 30, y: 40, width: 100, height: 20 };
    const filled = await add(pdf, { ...text, ...place });
    await qpdfCheck(filled);
    const listed = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(filled) });
    expect(listed.body.fields[0].rect).toEqual(place);
    const [field] = await readFieldsWithQpdf(filled);
    const height = rotation % 180 === 0 ? 400 : 600;
    // A unit of the page is two points.
    const inUnits = [30, height - 60, 130, height - 40].map((points) => points / 2);
    expect(field?.widgets[0]?.shown).toEqual(inUnits as Rect);
    const objects = await readQpdf(filled);
    const [annotation] = objects.list(objects.pages[0]?.['/Annots']).map((each) => objects.dictionary(each));
    expect(objects.dictionary(annotation?.['/MK'])['/R'] ?? 0).toBe(rotation);
  });

  test('come as a link too', async () => {
    const { status, body } = await post(pagesPdf(1), [text], { output: 'url' });
    expect([status, Object.keys(body).sort()]).toEqual([200, ['file_size', 'url']]);
    const file = await (await fetch(body.url)).bytes();
    expect(file.length).toBe(body.file_size);
    expect((await readFieldsWithQpdf(file)).map(({ name }) => name)).toEqual(['name']);
  });
});

describeWithPdfTools('names with dots', () => {
  const existing = formPdf([
    '<</T(address)/Kids[7 0 R]>>',
    `<</T(city)/Parent 6 0 R/FT/Tx${widget('').slice(2)}`,
    widget('/FT/Tx/T(name)'),
  ]).replace('/Fields[6 0 R 7 0 R 8 0 R]', '/Fields[6 0 R 8 0 R]      ');
  const names = async (pdf: Uint8Array) => (await readFieldsWithQpdf(pdf)).map(({ name }) => name);

  test('make a tree, or one that is there grows', async () => {
    expect(await names(Buffer.from(existing, 'latin1'))).toEqual(['address.city', 'name']);
    const filled = await add(
      existing,
      { ...text, name: 'address.street.line 1' },
      { ...text, name: 'address.street.line 2' },
      { ...text, name: 'address.zip' },
      { ...text, name: 'größe.東京' },
    );
    await qpdfCheck(filled);
    expect((await names(filled)).sort()).toEqual(
      [
        'address.city',
        'address.street.line 1',
        'address.street.line 2',
        'address.zip',
        'größe.東京',
        'name',
      ].sort(),
    );
    const objects = await readQpdf(filled);
    expect(objects.list(objects.dictionary(objects.catalog['/AcroForm'])['/Fields'])).toHaveLength(3);
  });

  test.each([
    ['name', '"name" is the name of a field that is there already'],
    ['address', '"address" is the name of a group of fields'],
    ['address.city', '"address.city" is the name of a field that is there already'],
    ['name.first', '"name" is the name of a field, which can have no fields below it'],
    ['', 'fields[0].name'],
    ['a..b', 'must be a name, or names joined by single dots'],
    ['.a', 'must be a name, or names joined by single dots'],
    [' ', 'must be a name, or names joined by single dots'],
    ['a\nb', 'must be text without control characters'],
    ['\ud800', 'must be text without control characters'],
  ])('%j is refused', async (name, says) => {
    const message = await refusal(existing, { ...text, name });
    expect(message).toStartWith('fields[0].name');
    expect(message).toContain(says);
  });

  test('are not given twice, but by radio buttons', async () => {
    const twice = await refusal(pagesPdf(1), text, { ...text, type: 'checkbox' });
    expect(twice).toStartWith('fields[1].name: "name" is given twice');
    const below = await refusal(pagesPdf(1), text, { ...text, name: 'name.first' });
    expect(below).toStartWith('fields[1].name: "name" is the name of a field');
    const radio = { ...text, type: 'radio', option: 'a' };
    expect(await refusal(pagesPdf(1), radio, radio)).toStartWith('fields[1].option: "a" is given twice');
  });
});

describe('what is refused', () => {
  const dropdown = { ...text, type: 'dropdown', options: ['a', 'b'] };
  const radio = { ...text, type: 'radio', option: 'a' };
  test.each([
    ['fields[0].page', { ...text, page: 1 }],
    ['fields[0].page', { ...text, page: -1 }],
    ['fields[0].page', { ...text, page: '0' }],
    ['fields[0].x', { ...text, x: 300 }],
    ['fields[0].x', { ...text, x: -1 }],
    ['fields[0].y', { ...text, y: 200 }],
    ['fields[0].width', { ...text, x: 200 }],
    ['fields[0].height', { ...text, height: 181 }],
    ['fields[0].height', { ...text, height: 0 }],
    ['fields[0].type', { ...text, type: 'button' }],
    ['fields[0].options', { ...dropdown, options: [] }],
    ['fields[0].options', { ...dropdown, options: undefined }],
    ['fields[0].options[1]', { ...dropdown, options: ['a', 'a'] }],
    ['fields[0].options', { ...text, options: ['a'] }],
    ['fields[0].defaultValue', { ...dropdown, defaultValue: 'c' }],
    ['fields[0].defaultValue', { ...dropdown, defaultValue: true }],
    ['fields[0].defaultValue', { ...text, defaultValue: true }],
    ['fields[0].defaultValue', { ...text, defaultValue: 'two\nlines' }],
    ['fields[0].defaultValue', { ...text, type: 'checkbox', defaultValue: 'Yes' }],
    ['fields[0].defaultValue', { ...radio, defaultValue: 'b' }],
    ['fields[0].defaultValue', { ...text, type: 'signature', defaultValue: 'Ada' }],
    ['fields[0].option', { ...radio, option: undefined }],
    ['fields[0].option', { ...radio, option: 'Off' }],
    ['fields[0].option', { ...radio, option: ' ' }],
    ['fields[0].multiline', { ...dropdown, multiline: true }],
    ['fields[0].font_size', { ...radio, font_size: 10 }],
    ['fields[0].tooltip', { ...text, tooltip: 'a\u0000b' }],
    ['fields[0].color', { ...text, color: 'red' }],
  ])('%s of %j', async (field, definition) => {
    expect(await refusal(pagesPdf(1), definition)).toStartWith(field);
  });

  test('nothing at all, or too much', async () => {
    expect(await refusal(pagesPdf(1))).toStartWith('fields');
    expect(await refusal(pagesPdf(1), ...Array.from({ length: 1001 }, () => text))).toStartWith('fields');
  });
});

describeWithPdfTools('what is in the file', () => {
  test('stays: the form, its flags, its fonts', async () => {
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
    // The name is another font's in this form.
    expect(objects.dictionary(fonts['/Helv'])['/BaseFont']).toBe('/Courier');
    expect(added['/DA']).toBe('u:/Helv2 0 Tf 0 g');
    expect(objects.dictionary(fonts['/Helv2'])['/BaseFont']).toBe('/Helvetica');
    expect((await readFieldsWithQpdf(filled))[0]).toMatchObject({ name: 'old', value: 'value' });
  });

  test.each([
    ['a flat list of numbers', '<</Nums[0 [6 0 R]]>>', '', 1],
    ['a tree of numbers', '<</Kids[8 0 R]>>', '/ParentTreeNextKey 7', 7],
  ])('tagged, new fields are in the structure, known by %s', async (_, numbers, more, first) => {
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
    const grown = await add(pdf, text, { ...button, x: 0, option: 'a' }, { ...button, x: 30, option: 'b' });
    await qpdfCheck(grown);
    expect(grown.subarray(0, pdf.length).toString('latin1')).toBe(pdf);
    const objects = await readQpdf(grown);
    const widgets = objects.list(objects.pages[0]?.['/Annots']);
    expect(widgets.map((widget) => objects.dictionary(widget)['/StructParent'])).toEqual(
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
    ).toEqual(widgets.map((widget) => ['/Form', root['/K'], widget]));
    const tree = objects.dictionary(root['/ParentTree']);
    const leaves =
      tree['/Kids'] === undefined
        ? [tree]
        : objects.list(tree['/Kids']).map((leaf) => objects.dictionary(leaf));
    const [, , ...added] = leaves.flatMap((leaf) => objects.list(leaf['/Nums']));
    expect(added).toEqual(elements.flatMap((element, index) => [first + index, element]));
  });

  test('a page that is shown twice gets the field once', async () => {
    const pdf = pagesPdf(2).replace('5 0 R 7 0 R', '5 0 R 5 0 R');
    const filled = await add(pdf, { ...text, page: 1 });
    await qpdfCheck(filled);
    const objects = await readQpdf(filled);
    expect(objects.pages.map((page) => objects.list(page['/Annots']).length)).toEqual([0, 1]);
  });

  test('an XFA form goes where there is another, and is refused where there is none', async () => {
    const both = await add(formPdf([widget('/FT/Tx/T(old)')], { form: '/XFA[(a)(b)]' }), text);
    const objects = await readQpdf(both);
    expect(Object.keys(objects.dictionary(objects.catalog['/AcroForm']))).not.toContain('/XFA');
    expect((await readFieldsWithQpdf(both)).map(({ name }) => name)).toEqual(['old', 'name']);
    expect(await refusal(formPdf([], { form: '/XFA[(a)(b)]' }), text)).toStartWith('pdf: is an XFA form');
  });

  test('encrypted without a password it stays so, and permissions are kept to', async () => {
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
  ])('certified for %s it takes no fields', async (allows, reference) => {
    const pdf = signedPdf('', reference, '/Perms<</DocMDP 5 0 R>>');
    expect(await refusal(pdf, text)).toStartWith(`pdf: has a signature that allows ${allows} (DocMDP`);
  });

  const toSign = { name: 'next', type: 'signature', ...at };

  test('signed without such limits it takes fields that are to be signed, and its bytes stay', async () => {
    const pdf = Buffer.from(signedPdf('', ''), 'latin1');
    const grown = await add(pdf, toSign);
    await qpdfCheck(grown);
    expect(grown.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect((await readFieldsWithQpdf(grown)).map(({ name }) => name)).toContain('next');
    const damaged = signedPdf('', '').replace(/startxref\n\d+/, 'startxref\n99999');
    expect(await refusal(damaged, toSign)).toStartWith('pdf: is signed and damaged');
  });

  test('signed it takes no other fields, and none whose name a signature locks', async () => {
    expect(await refusal(signedPdf('', ''), toSign, text)).toBe(
      'fields[1].type: must be signature, for the PDF is signed: any other new field would make the signature invalid',
    );
    const fieldMdp = (entries: string) =>
      `/Reference[<</TransformMethod/FieldMDP/TransformParams<<${entries}>>>>]`;
    for (const locked of [
      signedPdf('', fieldMdp('/Action/All')),
      signedPdf('', fieldMdp('/Action/Exclude/Fields[(s)]')),
      signedPdf('/Lock<</Action/Include/Fields[(next)]>>', ''),
    ])
      expect(await refusal(locked, toSign)).toStartWith('fields[0].name: "next" is locked by a signature');
    expect(await add(signedPdf('/Lock<</Action/Include/Fields[(s)]>>', ''), toSign)).toBeDefined();
  });

  test("the rights that Adobe's reader grants are no signature, and go", async () => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Perms<</UR3 4 0 R>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
      '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>/Reference[<</TransformMethod/UR3>>]>>',
    ]);
    const grown = await add(pdf, text);
    await qpdfCheck(grown);
    const { catalog } = await readQpdf(grown);
    expect(catalog['/AcroForm']).toBeDefined();
    expect(catalog['/Perms']).toBeUndefined();
  });
});
