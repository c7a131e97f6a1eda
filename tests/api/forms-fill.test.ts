import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText, qpdfCheck, qpdfJson, rasterise } from '../support/pdf.ts';
import { formsClient } from '../support/forms-client.ts';
import { sharedService } from '../support/shared-service.ts';
import { formPdf, inkIn, states, widget } from './form-samples.ts';
import { withQpdf } from './pdf-samples.ts';

const service = sharedService();
const { fill, post, refusal, values, list } = formsClient(service);
describeWithPdfTools('POST /v1/pdf/forms/fill', () => {
  test('stores the result and answers with a link', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(name)')]);
    const { status, body } = await post(pdf, [{ name: 'name', value: 'Ada' }], { output: 'url' });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['file_size', 'url']);
    const file = new Uint8Array(await (await fetch(body.url)).arrayBuffer());
    expect(file.length).toBe(body.file_size);
    expect(await pdfText(file)).toContain('Ada');
  });

  test('fills all kinds of fields, and leaves the others as they are', async () => {
    const pdf = formPdf([
      widget('/FT/Tx/T(text)/V(old)'),
      widget(`/FT/Btn/T(tick)/V/Off/AS/Off${states('Ja#20wohl')}`),
      widget('/FT/Ch/T(city)/Ff 131072/Opt[[(b)(Berlin)][(p)(Paris)]]'),
      widget('/FT/Ch/T(any)/Ff 393216/Opt[(a)(b)]'),
      widget('/FT/Ch/T(many)/Ff 2097152/Opt[(x)(y)(z)]'),
      widget('/FT/Tx/T(kept)/V<FEFF004F006B>/RV(<b>Ok</b>)/Rect[10 50 110 70]'),
    ]);
    const filled = await fill(pdf, {
      text: 'new',
      tick: true,
      city: 'Berlin',
      any: 'anything else',
      many: ['z', 'x'],
    });
    await qpdfCheck(filled);
    expect(await values(filled)).toEqual({
      text: 'new',
      tick: true,
      city: 'b',
      any: 'anything else',
      many: ['x', 'z'],
      kept: 'Ok',
    });
    const bytes = filled.toString('latin1');
    expect(bytes.startsWith(pdf)).toBe(true);
    expect(bytes.slice(pdf.length)).not.toContain('(kept)');
    const { qpdf } = await qpdfJson(filled);
    expect(qpdf[1]['obj:7 0 R']?.value).toMatchObject({ '/V': '/Ja wohl', '/AS': '/Ja wohl' });
    expect(qpdf[1]['obj:10 0 R']?.value).toMatchObject({ '/I': [0, 2] });
  });

  test('a value of a script that the font does not have is text in every viewer, and in the field', async () => {
    const samples = {
      greek: 'Καλημέρα',
      cyrillic: 'Привет',
      chinese: '你好世界',
      japanese: 'こんにちは',
      korean: '안녕하세요',
      thai: 'สวัสดี',
      devanagari: 'नमस्ते',
      czech: 'kůň',
    };
    const fields = Object.keys(samples).map((name, index) =>
      widget(`/FT/Tx/T(${name})/Rect[20 ${700 - 40 * index} 220 ${720 - 40 * index}]`),
    );
    const filled = await fill(formPdf(fields), samples);
    await qpdfCheck(filled);
    expect(await values(filled)).toEqual(samples);
    const text = (await pdfText(filled)).normalize('NFC');
    for (const name of ['greek', 'cyrillic', 'chinese', 'japanese', 'korean', 'czech'] as const)
      expect(text).toContain(samples[name]);
    const [page] = await rasterise(filled, { dpi: 72 });
    for (const index of Object.keys(samples).keys())
      expect(inkIn(page, [20, 700 - 40 * index, 220, 720 - 40 * index])).toBeGreaterThan(20);
  });

  test('right-to-left and mixed text and emoji are seen', async () => {
    const samples = { arabic: 'مرحبا', hebrew: 'שלום', emoji: '🎉👋🏽', mixed: 'No 42 שלום 你好 🎉' };
    const fields = Object.keys(samples).map((name, index) =>
      widget(`/FT/Tx/T(${name})/Rect[20 ${700 - 40 * index} 220 ${720 - 40 * index}]`),
    );
    const filled = await fill(formPdf(fields), samples);
    expect(await values(filled)).toEqual(samples);
    const [page] = await rasterise(filled, { dpi: 72 });
    for (const index of Object.keys(samples).keys())
      expect(inkIn(page, [20, 700 - 40 * index, 220, 720 - 40 * index])).toBeGreaterThan(20);
  });

  test('text stays in its box: in several lines, in cells, turned and aligned', async () => {
    const box = '/MK<</BC[1 0 0]>>';
    const rects = {
      lines: [20, 600, 120, 660],
      comb: [20, 500, 220, 520],
      turned: [300, 500, 320, 700],
      right: [20, 400, 220, 420],
      long: [20, 300, 120, 320],
      hebrew: [20, 200, 120, 260],
    } as const;
    const entries = {
      lines: '/Ff 4096',
      comb: '/Ff 16777216/MaxLen 8',
      turned: '/MK<</R 90>>',
      right: '/Q 2',
      long: '/DA(/Helv 14 Tf 0 0 1 rg)',
      hebrew: '/Ff 4096/DA(/Helv 14 Tf 0 g)',
    };
    const names = Object.keys(rects) as (keyof typeof rects)[];
    const pdf = formPdf(
      names.map((name) =>
        widget(
          `/FT/Tx/T(${name})/Rect[${rects[name].join(' ')}]${name === 'turned' ? '' : box}${entries[name]}`,
        ),
      ),
    );
    const filled = await fill(pdf, {
      lines: 'First line\nand a second one that is too long for its box',
      comb: '12345678',
      turned: 'upwards',
      right: 'at the right',
      long: 'this is much too long for a box of one hundred points at fourteen',
      hebrew: 'שלום עולם '.repeat(12),
    });
    const [page] = await rasterise(filled, { dpi: 72 });
    for (const name of names) {
      const [left, bottom, right, top] = rects[name];
      expect(inkIn(page, rects[name])).toBeGreaterThan(10);
      const around = inkIn(page, [left - 15, bottom - 15, right + 15, top + 15]);
      expect(around - inkIn(page, [left - 1, bottom - 1, right + 1, top + 1])).toBe(0);
    }
    const halves = (name: 'right' | 'turned') => {
      const [left, bottom, right, top] = rects[name];
      return name === 'right'
        ? [
            inkIn(page, [left + 2, bottom + 2, (left + right) / 2, top - 2]),
            inkIn(page, [(left + right) / 2, bottom + 2, right - 2, top - 2]),
          ]
        : [
            inkIn(page, [left, (bottom + top) / 2, right, top]),
            inkIn(page, [left, bottom, right, (bottom + top) / 2]),
          ];
    };
    for (const name of ['right', 'turned'] as const) {
      const [empty, full] = halves(name);
      expect(empty).toBe(0);
      expect(full).toBeGreaterThan(20);
    }
  });

  test('the form stays one that viewers draw as it was filled', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(a)'), widget('/FT/Tx/T(b)/V(there already)/Rect[10 50 310 70]')], {
      form: '/NeedAppearances true/XFA[(x)(y)]',
    });
    const filled = await fill(pdf, { a: '你好' });
    const { acroform } = await qpdfJson(filled);
    expect(acroform).toMatchObject({ hasacroform: true, needappearances: false });
    expect((await list(filled)).map(({ value }) => value)).toEqual(['你好', 'there already']);
    const { body } = await service().post('/v1/pdf/forms/list-fields', { pdf: filled.toString('base64') });
    expect(body.xfa).toBe(false);
    expect(await pdfText(filled)).toContain('there already');
  });

  test('a long text is filled in as it was meant, whatever JSON escapes in it', async () => {
    const value = '"Zeile" \\ é\n'.repeat(4_000);
    const filled = await fill(formPdf([widget('/FT/Tx/T(a)/Ff 4096')]), { a: value });
    expect(await values(filled)).toEqual({ a: value });
  });

  test('a date in ISO 8601 is written as the field has dates, and nothing else is touched', async () => {
    const script = (format: string) => `/AA<</F<</S/JavaScript/JS(AFDate_FormatEx\\("${format}"\\);)>>>>`;
    const pdf = formPdf([
      widget(`/FT/Tx/T(us)${script('mm/dd/yyyy')}`),
      widget(`/FT/Tx/T(long)${script('dddd, d mmmm yy')}`),
      widget(`/FT/Tx/T(time)${script('dd.mm.yyyy HH:MM')}`),
      widget(`/FT/Tx/T(words)${script('mm/dd/yyyy')}`),
      widget(`/FT/Tx/T(wrong)${script('mm/dd/yyyy')}`),
    ]);
    const date = '2026-03-01';
    const filled = await fill(pdf, { us: date, long: date, time: date, words: 'soon', wrong: '2026-02-30' });
    expect(await values(filled)).toEqual({
      us: '03/01/2026',
      long: 'Sunday, 1 March 26',
      time: date,
      words: 'soon',
      wrong: '2026-02-30',
    });
  });

  test('an option is taken back by an empty text', async () => {
    const pdf = formPdf([widget('/FT/Ch/T(city)/Ff 131072/V(a)/Opt[(a)(b)]')]);
    expect(await values(pdf)).toEqual({ city: 'a' });
    expect(await values(await fill(pdf, { city: '' }))).toEqual({ city: null });
  });

  test('a password is not shown', async () => {
    const filled = await fill(formPdf([widget('/FT/Tx/T(secret)/Ff 8192')]), { secret: 'opensesame' });
    const text = await pdfText(filled);
    expect(text).toContain('**********');
    expect(text).not.toContain('opensesame');
  });

  test('an encrypted file without a password stays encrypted', async () => {
    const pdf = withQpdf(formPdf([widget('/FT/Tx/T(name)')]), ['--encrypt', '', 'owner', '256', '--']);
    const filled = await fill(pdf, { name: 'Ada 王' });
    await qpdfCheck(filled);
    expect(await values(filled)).toEqual({ name: 'Ada 王' });
    expect(filled.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const closed = withQpdf(formPdf([widget('/FT/Tx/T(name)')]), [
      '--encrypt',
      '',
      'owner',
      '256',
      '--modify=none',
      '--annotate=n',
      '--form=n',
      '--',
    ]);
    expect(await refusal(closed, { name: 'Ada' })).toContain('permissions do not allow filling in forms');
  });

  test('widgets in no form are filled, and are in it then', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(lost)')], { listed: '' });
    const filled = await fill(pdf, { lost: 'found' });
    const { acroform } = await qpdfJson(filled);
    expect(acroform.fields.map(({ fullname, value }) => [fullname, value])).toEqual([['lost', 'u:found']]);
    expect(await pdfText(filled)).toContain('found');
  });
});
