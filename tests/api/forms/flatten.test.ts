import { expect, test } from 'bun:test';
import { formsClient } from '../../support/pdf/forms-client.ts';
import {
  describeWithPdfTools,
  pdfText,
  perceivedDifference,
  qpdfCheck,
  qpdfJson,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { FLAG, formPdf, countDarkPixels, states, widget } from '../../support/pdf/form-samples.ts';
import { stream, withQpdf } from '../../support/pdf/samples.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const { fill, refusal, list } = formsClient(service);
const flat = { flatten: true };
const pdfBytes = (pdf: string) => Buffer.from(pdf, 'latin1');

const fields = [
  widget('/FT/Tx/T(name)/Rect[20 700 220 720]/MK<</BC[0 0 1]>>'),
  widget('/FT/Tx/T(script)/Rect[20 650 220 680]'),
  widget('/FT/Tx/T(up)/Rect[300 500 320 700]/MK<</R 90>>'),
  widget('/FT/Btn/T(tick)/Rect[20 600 40 620]/MK<</BC[0 0 0]>>'),
  widget(`/FT/Ch/T(city)/Ff ${FLAG.combo}/Rect[20 550 120 570]/Opt[(Berlin)(Paris)]`),
];
const values = { name: 'Ada Lovelace', script: '你好 שלום', up: 'upwards', tick: true, city: 'Paris' };

describeWithPdfTools('flatten', () => {
  const kindsOfPage: [string, string][] = [
    ['a page', ''],
    ['a rotated page', '/Rotate 90'],
    ['an upside-down page', '/Rotate 180'],
    ['a cropped and rotated page', '/CropBox[10 450 400 780]/Rotate 270'],
    ['a page in other units', '/UserUnit 2'],
  ];
  test.each(casesOfSuite(kindsOfPage, 10))('keeps the look and removes the form, on %s', async (_, page) => {
    const pdf = formPdf(fields, { page });
    const [filled, flattened] = [await fill(pdf, values), await fill(pdf, values, flat)];
    await qpdfCheck(flattened);
    const [before, after] = [
      await rasterise(filled, { cropBox: true }),
      await rasterise(flattened, { cropBox: true }),
    ];
    expect(perceivedDifference(before, after).changed).toBe(0);
    expect(
      perceivedDifference(await rasterise(pdfBytes(pdf), { cropBox: true }), after).changed,
    ).toBeGreaterThan(100);
    expect(await list(flattened)).toEqual([]);
    const { acroform, qpdf } = await qpdfJson(flattened);
    expect(acroform.hasacroform).toBe(false);
    expect(JSON.stringify(qpdf)).not.toContain('/Widget');
    expect(JSON.stringify(qpdf)).not.toContain('/AcroForm');
    expect(await pdfText(flattened)).toContain('Ada Lovelace');
  });

  test.each(casesOfSuite(['/Rotate 90', '', '/Rotate 180', '/MediaBox[20 30 620 830]/Rotate 270'], 8))(
    'a field with the NoRotate flag stays upright: %s',
    async (page) => {
      const upright = (entries: string) => widget(entries).replace('/F 4', '/F 20');
      const look = '/MK<</BG[0.3 1 0.3]>>';
      const pdf = formPdf(
        [
          upright(`/FT/Tx/T(a)/Rect[200 400 300 420]${look}`),
          upright(`/FT/Tx/T(b)/Rect[400 300 420 400]${look.replace('<<', '<</R 90')}`),
        ],
        { page },
      );
      const [filled, flattened] = [
        await fill(pdf, { a: 'Ada', b: 'מלך' }),
        await fill(pdf, { a: 'Ada', b: 'מלך' }, flat),
      ];
      const [before, after] = [await rasterise(filled), await rasterise(flattened)];
      expect(perceivedDifference(before, after).changed).toBe(0);
      expect(perceivedDifference(await rasterise(pdfBytes(pdf)), after).changed).toBeGreaterThan(50);
    },
  );

  const contents: [string, string][] = [
    ['unbalanced graphics states', 'q 0.5 0 0 0.5 100 100 cm q 1 0 0 rg 0 0 50 50 re f'],
    [
      'text that resembles operators',
      'BT /F1 9 Tf (Q \\) Q) Tj ET % Q\n BI /W 1/H 1/CS/G/BPC 8 ID Q EI 1 0 0 rg 0 0 50 50 re f',
    ],
  ];
  test.each(casesOfSuite(contents, 4))('keeps content with %s', async (_, content) => {
    const pdf = formPdf(fields, { page: '/Contents 11 0 R', objects: [stream(content)] });
    const [filled, flattened] = [await fill(pdf, values), await fill(pdf, values, flat)];
    await qpdfCheck(flattened);
    expect(perceivedDifference(await rasterise(filled), await rasterise(flattened)).changed).toBe(0);
  });

  test('content with too many Q operators does not move the fields', async () => {
    // Poppler draws nothing after such an operator; other viewers ignore it.
    const content = '0.9 0 0 0.9 0 0 cm Q 1 0 0 rg 0 0 100 100 re f Q Q';
    const pdf = formPdf(fields, { page: '/Contents 11 0 R', objects: [stream(content)] });
    const flattened = await fill(pdf, values, flat);
    await qpdfCheck(flattened);
    const [page] = await rasterise(flattened, { dpi: 72 });
    // The square is scaled to 90 x 90 points.
    expect(countDarkPixels(page, [0, 0, 100, 100])).toBe(90 * 90);
    expect(countDarkPixels(page, [20, 700, 220, 720])).toBeGreaterThan(400);
    expect(countDarkPixels(page, [20, 620, 220, 640])).toBe(0);
  });

  test('keeps fields visible that are over other annotations', async () => {
    const square = (rect: string, color: string) =>
      `<</Type/Annot/Subtype/Square/F 4/Rect[${rect}]/C[1 0 0]/AP<</N ${color} 0 R>>>>`;
    const paint = (color: string) =>
      stream(`${color} rg 0 0 100 100 re f`, '/Type/XObject/Subtype/Form/BBox[0 0 100 100]');
    const pdf = formPdf([widget('/FT/Tx/T(over)/Rect[20 700 220 720]')], {
      shown: '7 0 R 8 0 R 6 0 R 9 0 R 10 0 R',
      objects: [
        square('0 650 300 780', '11'),
        // The first two are under the field, the third is over it, and the fourth is far away.
        square('10 600 40 800', '12'),
        square('200 690 240 730', '12'),
        square('300 100 400 200', '11'),
        paint('0.9 1 0.9'),
        paint('0.5 0.5 1'),
      ],
    });
    const [filled, flattened] = [await fill(pdf, { over: 'Ada' }), await fill(pdf, { over: 'Ada' }, flat)];
    await qpdfCheck(flattened);
    expect(perceivedDifference(await rasterise(filled), await rasterise(flattened)).changed).toBe(0);
    expect(
      countDarkPixels((await rasterise(flattened, { dpi: 72 }))[0], [45, 700, 199, 720]),
    ).toBeGreaterThan(0);
    const { qpdf, pages } = await qpdfJson(flattened);
    const page = qpdf[1][`obj:${pages[0]?.object}`]?.value;
    expect(page).toMatchObject({ '/Annots': [expect.any(String), expect.any(String)] });
  });

  test('removes hidden fields, and keeps earlier values and other annotations', async () => {
    const link = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>';
    const pdf = formPdf(
      [
        widget('/FT/Tx/T(a)/Rect[20 700 220 720]'),
        widget('/FT/Tx/T(hidden)/V(secret)/Rect[20 650 220 670]').replace('/F 4', '/F 2'),
        widget('/FT/Tx/T(before)/V(was here)/Rect[20 600 220 620]'),
        widget(`/FT/Btn/T(press)/Ff ${FLAG.pushButton}/Rect[20 550 40 570]/AP<</N 12 0 R>>`).replace(
          '/F 4',
          '/F 0',
        ),
        widget(`/FT/Btn/T(off)/AS/Off${states('Yes')}`),
      ],
      {
        shown: '6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R',
        objects: [link, stream('0 0 50 50 re f', '/Type/XObject/Subtype/Form/BBox[0 0 20 20]')],
      },
    );
    const flattened = await fill(pdf, { a: 'value' }, flat);
    await qpdfCheck(flattened);
    const text = await pdfText(flattened);
    expect(text).toContain('value');
    expect(text).toContain('was here');
    expect(flattened.toString('latin1')).not.toContain('secret');
    const [page] = await rasterise(flattened, { dpi: 72 });
    expect(countDarkPixels(page, [20, 550, 40, 570])).toBe(0);
    const { pages, qpdf } = await qpdfJson(flattened);
    expect(qpdf[1][`obj:${pages[0]?.object}`]?.value).toMatchObject({ '/Annots': [expect.any(String)] });
  });

  test('an encrypted file stays encrypted', async () => {
    const pdf = withQpdf(formPdf(fields), ['--encrypt', '', 'owner', '256', '--']);
    const flattened = await fill(pdf, values, flat);
    await qpdfCheck(flattened);
    expect(flattened.toString('latin1')).toContain('/Encrypt');
    expect(await list(flattened)).toEqual([]);
    expect(await pdfText(flattened)).toContain('Ada Lovelace');
  });

  test('rejects a signed file with a reason', async () => {
    const pdf = formPdf([
      ...fields,
      widget('/FT/Sig/T(sign)/V<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>'),
    ]);
    expect(await refusal(pdf, values, flat)).toBe(
      'flatten: must be false: the PDF is signed, and flattening would invalidate the signature',
    );
    expect((await fill(pdf, values)).subarray(0, pdf.length).equals(pdfBytes(pdf))).toBe(true);
  });
});

describeWithPdfTools('filling a signed file', () => {
  const signedWith = (reference: string, more = '') =>
    formPdf([
      widget('/FT/Tx/T(name)'),
      widget('/FT/Tx/T(group.other)/Rect[10 50 110 70]'),
      widget(`/FT/Sig/T(sign)${more}/V<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>/Reference[${reference}]>>`),
    ]);
  const fieldLock = (entries: string) =>
    `<</TransformMethod/FieldMDP/TransformParams<</Type/TransformParams${entries}>>>>`;

  test.each([
    ['no changes', '<</TransformMethod/DocMDP/TransformParams<</P 1>>>>', 'DocMDP, P = 1'],
    ['all fields locked', fieldLock('/Action/All'), '"name" is locked by a signature'],
    ['the field locked', fieldLock('/Action/Include/Fields[(name)]'), '"name" is locked by a signature'],
    ['all but another locked', fieldLock('/Action/Exclude/Fields[(x)]'), '"name" is locked by a signature'],
  ])('is rejected: %s', async (_, reference, message) => {
    expect(await refusal(signedWith(reference), { name: 'Ada' })).toContain(message);
  });

  test('respects a lock in the signature field, which also locks the fields of a group', async () => {
    const lock = '/Lock<</Action/Include/Fields[(group)]>>';
    expect(await refusal(signedWith('', lock), { 'group.other': 'x' })).toContain('"group.other" is locked');
    const filled = await fill(signedWith('', lock), { name: 'Ada' });
    expect(await pdfText(filled)).toContain('Ada');
  });

  test.each([
    ['forms may be filled', '<</TransformMethod/DocMDP/TransformParams<</P 2>>>>'],
    ['another field is locked', fieldLock('/Action/Include/Fields[(group)]')],
    ['the field is not locked', fieldLock('/Action/Exclude/Fields[(name)]')],
  ])('appends an incremental update: %s', async (_, reference) => {
    const pdf = signedWith(reference);
    const filled = await fill(pdf, { name: 'Ada 王' });
    await qpdfCheck(filled);
    expect(filled.toString('latin1').startsWith(pdf)).toBe(true);
  });

  test('is rejected if the file would have to be rewritten', async () => {
    const pdf = signedWith('').replace(/startxref\n\d+/, 'startxref\n99999');
    expect(await refusal(pdf, { name: 'Ada' })).toContain('is signed and damaged');
  });
});
