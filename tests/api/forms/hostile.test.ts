import { describe, expect, test } from 'bun:test';
import { formsClient } from '../../support/pdf/forms-client.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';
import { FLAG, formPdf, widget } from '../../support/pdf/form-samples.ts';
import { hostilePdfs, plainPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const { fill, post, list, values } = formsClient(service);

describe('malformed field trees are listed and filled:', () => {
  test('loops in Kids and Parent', async () => {
    const kidsLoop = formPdf(['<</T(a)/FT/Tx/Kids[6 0 R 7 0 R]>>', widget('/Parent 7 0 R/Kids[6 0 R]')], {
      listed: '6 0 R',
      shown: '7 0 R',
    });
    expect((await list(kidsLoop)).map(({ name }) => name)).toEqual(['a']);
    expect(await values(await fill(kidsLoop, { a: 'x' }))).toEqual({ a: 'x' });
    const parentLoop = formPdf(
      [widget('/FT/Tx/T(b)/Parent 7 0 R'), '<</T(c)/Parent 8 0 R>>', '<</T(d)/Parent 7 0 R>>'],
      { listed: '', shown: '6 0 R' },
    );
    expect(await values(await fill(parentLoop, { b: 'x' }))).toMatchObject({ b: 'x' });
  });

  test.if(isThorough)(
    '60,000 fields, and 60,000 fields without a name',
    async () => {
      const many = (named: boolean) =>
        formPdf(
          Array.from({ length: 60_000 }, (_, index) => widget(`/FT/Tx${named ? `/T(f${index})` : ''}`)),
        );
      expect(await list(many(true))).toHaveLength(60_000);
      expect((await values(await fill(many(true), { f59999: 'last' })))['f59999']).toBe('last');
      expect(await list(many(false))).toHaveLength(60_000);
    },
    180_000,
  );

  test('a tree of 10,000 levels, which lists at most one field', async () => {
    const levels = Array.from({ length: 10_000 }, (_, index) => `<</T(n)/Kids[${index + 7} 0 R]>>`);
    const pdf = formPdf([...levels, widget('/FT/Tx/T(leaf)')], { listed: '6 0 R', shown: '' });
    expect((await list(pdf)).length).toBeLessThan(2);
  });

  test('names with dots, names that are not Unicode, and empty names', async () => {
    const pdf = formPdf([
      widget('/FT/Tx/T(a.b)'),
      widget('/FT/Tx/T<FEFFD800>'),
      widget('/FT/Tx/T<80FFFE81>'),
      widget('/FT/Tx/T()'),
      '<</T(a)/Kids[11 0 R]>>',
      widget('/FT/Tx/T(c)'),
    ]);
    const names = (await list(pdf)).map(({ name }) => name);
    expect(names).toEqual(['a.b', '\ufffd', '•ÿþ†', '', 'a.c']);
    const filled = await fill(pdf, Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
    expect(await values(filled)).toEqual(Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
  });

  test('fields with the same name are one field, and rejected if their types differ', async () => {
    const twins = formPdf([widget('/FT/Tx/T(a)'), widget('/FT/Tx/T(a)/Rect[10 50 110 70]')]);
    expect(await list(twins)).toHaveLength(1);
    const filled = await fill(twins, { a: 'both' });
    expect((await pdfText(filled)).match(/both/g)).toHaveLength(2);
    const mixed = formPdf([widget('/FT/Tx/T(a)'), widget('/FT/Btn/T(a)')]);
    const { status, body } = await post(mixed, [{ name: 'a', value: 'x' }]);
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('"a" is ambiguous: 2 fields'),
    ]);
  });
});

describeWithPdfTools('malformed fields are filled:', () => {
  test.each([
    ['no default appearance', '/DA(/Helv 0 Tf 0 g)', '', ''],
    ['a broken default appearance', '/DA(/Helv 0 Tf 0 g)', '/DA(<< Tf [ ( g 99999 \\( rg)', ''],
    ['a default appearance that is not a string', '/DA(/Helv 0 Tf 0 g)', '/DA 12', ''],
    ['a missing font', '', '', '/DA(/Nobody 10 Tf 1 0 0 rg)'],
    ['a font that is a page', '/Helv 4 0 R', '/Helv 3 0 R', ''],
    ['no resources', '/DR<</Font<</Helv 4 0 R>>>>', '', ''],
    ['an invalid font size', '', '', '/DA(/Helv NaN Tf 0 g)/Q 77/MK 3/BS[]/Border(x)'],
    ['invalid colours', '', '', '/MK<</BC[(a) 2 -3]/BG[1 2 3 4 5]/R 45>>/BS<</W -3/S/Z/D[0 0]>>'],
  ])('%s', async (_, remove, replacement, entries) => {
    const pdf = formPdf([widget(`/FT/Tx/T(a)${entries}`)]);
    const broken = remove === '' ? pdf : pdf.replace(remove, replacement.padEnd(remove.length));
    const filled = await fill(broken, { a: 'Ada' });
    await qpdfCheck(filled);
    expect(await pdfText(filled)).toContain('Ada');
    expect(await pdfText(await fill(broken, { a: 'Ada 王' }))).toContain('王');
  });

  test.each(['0 0 0 0', '10 10 10 50', '(a) 1 2 3', '1 2', '5e9 1 2 3'])(
    'a field with an empty rectangle has a value but no appearance: [%s]',
    async (rect) => {
      const pdf = formPdf([widget(`/FT/Tx/T(a)/Rect[${rect}]`), widget('/FT/Tx/T(b)')]);
      for (const flatten of [false, true])
        await qpdfCheck(await fill(pdf, { a: 'x 王', b: 'y' }, { flatten }));
      expect(await values(await fill(pdf, { a: 'x 王' }))).toMatchObject({ a: 'x 王' });
    },
  );

  test('tiny and huge rectangles', async () => {
    const pdf = formPdf([
      widget('/FT/Tx/T(hair)/Rect[10 10 10.01 700]'),
      widget(`/FT/Tx/T(wide)/Ff ${FLAG.multiline}/Rect[-1000000 -1000000 1000000 1000000]`),
      widget(`/FT/Tx/T(comb)/Ff ${FLAG.comb}/MaxLen 1000000/Rect[10 10 20 20]`),
    ]);
    const sent = { hair: 'a long text 王', wide: 'a long text 王', comb: 'a long text 王' };
    for (const flatten of [false, true]) await qpdfCheck(await fill(pdf, sent, { flatten }));
    expect(await values(await fill(pdf, sent))).toEqual(sent);
  });

  test('widgets and fields that are direct objects', async () => {
    const pdf = plainPdf([
      `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${widget('/FT/Tx/T(inForm)')}]>>>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Annots[${widget('/FT/Tx/T(onPage)')}]>>`,
    ]);
    const filled = await fill(pdf, { onPage: 'seen', inForm: 'unseen' });
    await qpdfCheck(filled);
    expect(await values(filled)).toEqual({ inForm: 'unseen', onPage: 'seen' });
    expect(await pdfText(filled)).toContain('seen');
    expect(await list(await fill(pdf, { onPage: 'x' }, { flatten: true }))).toEqual([]);
  });

  test.if(isThorough)(
    'a text of 30,000 Cyrillic letters and a text of 100,000 characters; a longer text is rejected',
    async () => {
      const pdf = formPdf([widget(`/FT/Tx/T(a)/Ff ${FLAG.multiline}/Rect[10 10 590 790]`)]);
      const long = 'Ж'.repeat(30_000);
      expect(await values(await fill(pdf, { a: long }))).toEqual({ a: long });
      const latin = 'word '.repeat(20_000);
      expect(await values(await fill(pdf, { a: latin }))).toEqual({ a: latin });
      const { status, body } = await post(pdf, [{ name: 'a', value: 'x'.repeat(200_001) }]);
      expect([status, body.error.message]).toEqual([
        400,
        'fields[0].value: the value for "a" is longer than 200000 characters',
      ]);
    },
  );

  test('text that looks like markup or another encoding is not interpreted', async () => {
    const pdf = formPdf([
      widget('/FT/Tx/T(a)/Rect[10 10 590 40]'),
      widget('/FT/Tx/T(b)'),
      widget('/FT/Tx/T(c)'),
    ]);
    const sent = { a: '<b>王</b> &amp; "</div><script>x', b: 'þÿab', c: 'ï»¿ab' };
    const filled = await fill(pdf, sent);
    expect(await values(filled)).toEqual(sent);
    expect((await pdfText(filled)).replaceAll(/\s/g, '')).toContain('<b>王</b>&amp;"</div><script>x');
  });
});

test.each(casesOfSuite(Object.keys(hostilePdfs) as (keyof typeof hostilePdfs)[], 20))(
  'the hostile file %s gets 200 or 400',
  async (name) => {
    const pdf = hostilePdfs[name]();
    for (const flatten of [false, true]) {
      const { status } = await post(pdf, [{ name: 'x', value: 'y' }], { flatten });
      expect([200, 400]).toContain(status);
    }
    const answer = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(pdf) });
    expect([200, 400]).toContain(answer.status);
  },
);
