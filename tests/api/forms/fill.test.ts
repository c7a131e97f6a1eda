import { expect, test, describe } from 'bun:test';
import type { PNG } from 'pngjs';
import { describeWithPdfTools, pdfText, qpdfCheck, qpdfJson, rasterise } from '../../support/pdf/pdf.ts';
import { formsClient } from '../../support/pdf/forms-client.ts';
import { resultKeys } from '../../support/service/results.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { FLAG, formPdf, countDarkPixels, states, widget } from '../../support/pdf/form-samples.ts';
import { withQpdf } from '../../support/pdf/samples.ts';

/** Counts the pixels of a row between two columns that are darker than medium grey. */
function darkPixelsOfRow({ width, data }: PNG, y: number, [from, to]: readonly [number, number]): number {
  let count = 0;
  for (let x = from; x < to; x++) if ((data[4 * (y * width + x)] ?? 255) < 128) count++;
  return count;
}

const service = sharedService();
const { fill, post, refusal, values, list } = formsClient(service);

describeWithPdfTools('POST /v1/pdf/forms/fill', () => {
  test('stores the result and returns a link', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(name)')]);
    const { status, body } = await post(pdf, [{ name: 'name', value: 'Ada' }], { output: 'url' });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(resultKeys('url'));
    const file = new Uint8Array(await (await fetch(body.url)).arrayBuffer());
    expect(file.length).toBe(body.file_size);
    expect(await pdfText(file)).toContain('Ada');
  });

  test('fills fields of every type and keeps the others', async () => {
    const pdf = formPdf([
      widget('/FT/Tx/T(text)/V(old)'),
      widget(`/FT/Btn/T(tick)/V/Off/AS/Off${states('Ja#20wohl')}`),
      widget(`/FT/Ch/T(city)/Ff ${FLAG.combo}/Opt[[(b)(Berlin)][(p)(Paris)]]`),
      widget(`/FT/Ch/T(any)/Ff ${FLAG.combo | FLAG.edit}/Opt[(a)(b)]`),
      widget(`/FT/Ch/T(many)/Ff ${FLAG.multiSelect}/Opt[(x)(y)(z)]`),
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

  test('a value in a writing system that the font does not support is visible and extractable', async () => {
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
      expect(countDarkPixels(page, [20, 700 - 40 * index, 220, 720 - 40 * index])).toBeGreaterThan(20);
  });

  test('right-to-left text, mixed text and emoji are visible', async () => {
    const samples = { arabic: 'مرحبا', hebrew: 'שלום', emoji: '🎉👋🏽', mixed: 'No 42 שלום 你好 🎉' };
    const fields = Object.keys(samples).map((name, index) =>
      widget(`/FT/Tx/T(${name})/Rect[20 ${700 - 40 * index} 220 ${720 - 40 * index}]`),
    );
    const filled = await fill(formPdf(fields), samples);
    expect(await values(filled)).toEqual(samples);
    const [page] = await rasterise(filled, { dpi: 72 });
    for (const index of Object.keys(samples).keys())
      expect(countDarkPixels(page, [20, 700 - 40 * index, 220, 720 - 40 * index])).toBeGreaterThan(20);
  });

  test('text stays inside its box: multiline, comb, rotated and aligned', async () => {
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
      lines: `/Ff ${FLAG.multiline}`,
      comb: `/Ff ${FLAG.comb}/MaxLen 8`,
      turned: '/MK<</R 90>>',
      right: '/Q 2',
      long: '/DA(/Helv 14 Tf 0 0 1 rg)',
      hebrew: `/Ff ${FLAG.multiline}/DA(/Helv 14 Tf 0 g)`,
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
      expect(countDarkPixels(page, rects[name])).toBeGreaterThan(10);
      const around = countDarkPixels(page, [left - 15, bottom - 15, right + 15, top + 15]);
      expect(around - countDarkPixels(page, [left - 1, bottom - 1, right + 1, top + 1])).toBe(0);
    }
    const halves = (name: 'right' | 'turned') => {
      const [left, bottom, right, top] = rects[name];
      return name === 'right'
        ? [
            countDarkPixels(page, [left + 2, bottom + 2, (left + right) / 2, top - 2]),
            countDarkPixels(page, [(left + right) / 2, bottom + 2, right - 2, top - 2]),
          ]
        : [
            countDarkPixels(page, [left, (bottom + top) / 2, right, top]),
            countDarkPixels(page, [left, bottom, right, (bottom + top) / 2]),
          ];
    };
    for (const name of ['right', 'turned'] as const) {
      const [empty, full] = halves(name);
      expect(empty).toBe(0);
      expect(full).toBeGreaterThan(20);
    }
  });

  test('text that is taller than its box shrinks, including in a comb and in a list', async () => {
    const tall = (entries: string, y: number) =>
      widget(`${entries}/DA(/Helv 32 Tf 0 g)/Rect[10 ${y} 210 ${y + 25}]`);
    const pdf = formPdf([
      tall('/FT/Tx/T(line)', 700),
      tall('/FT/Tx/T(accents)', 660),
      tall(`/FT/Tx/T(comb)/Ff ${FLAG.comb}/MaxLen 8`, 620),
      tall('/FT/Tx/T(script)', 580),
      tall(`/FT/Tx/T(chinese)/Ff ${FLAG.comb}/MaxLen 8`, 540),
      tall('/FT/Ch/T(list)/Opt[(Hg)(x)]', 500),
    ]);
    const names = ['line', 'accents', 'comb', 'script', 'chinese', 'list'];
    const filled = await fill(pdf, {
      line: 'Hg27',
      accents: 'ÅÇÉg',
      comb: 'HÉg27',
      script: 'Žluť',
      chinese: '你好世界',
      list: 'Hg',
    });
    const [page] = await rasterise(filled, { dpi: 288 });
    if (!page) throw new Error('no page');
    for (const [index, name] of names.entries()) {
      // A clipped glyph touches the edge of the clipping path, half a point inside the box.
      const bottom = 700 - 40 * index;
      const rows = Array.from({ length: 100 }, (_, row) =>
        darkPixelsOfRow(page, 4 * (800 - bottom - 25) + row, [40, 840]),
      );
      expect([name, rows.slice(0, 3), rows.slice(-3)]).toEqual([name, [0, 0, 0], [0, 0, 0]]);
      expect(rows.filter((count) => count > 0).length).toBeGreaterThan(45);
    }
  });

  test('clears NeedAppearances and removes XFA, and keeps other values visible', async () => {
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

  test('a long text with JSON escapes is filled in unchanged', async () => {
    const value = '"Zeile" \\ é\n'.repeat(4_000);
    const filled = await fill(formPdf([widget(`/FT/Tx/T(a)/Ff ${FLAG.multiline}`)]), { a: value });
    expect(await values(filled)).toEqual({ a: value });
  });

  test("an ISO 8601 date is written in the field's date format, and other values are unchanged", async () => {
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

  test('an empty string clears a dropdown', async () => {
    const pdf = formPdf([widget(`/FT/Ch/T(city)/Ff ${FLAG.combo}/V(a)/Opt[(a)(b)]`)]);
    expect(await values(pdf)).toEqual({ city: 'a' });
    expect(await values(await fill(pdf, { city: '' }))).toEqual({ city: null });
  });

  test('the value of a password field is masked', async () => {
    const filled = await fill(formPdf([widget(`/FT/Tx/T(secret)/Ff ${FLAG.password}`)]), {
      secret: 'opensesame',
    });
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

  test('a widget outside the form is filled and added to the form', async () => {
    const pdf = formPdf([widget('/FT/Tx/T(lost)')], { listed: '' });
    const filled = await fill(pdf, { lost: 'found' });
    const { acroform } = await qpdfJson(filled);
    expect(acroform.fields.map(({ fullname, value }) => [fullname, value])).toEqual([['lost', 'u:found']]);
    expect(await pdfText(filled)).toContain('found');
  });
});

describe('POST /v1/pdf/forms/fill rejects', () => {
  const pdf = formPdf([
    widget('/FT/Tx/T(zip)/MaxLen 5'),
    widget(`/FT/Tx/T(fixed)/Ff ${FLAG.readOnly}`),
    widget(`/FT/Btn/T(tick)${states('Yes')}`),
    widget(`/FT/Ch/T(city)/Ff ${FLAG.combo}/Opt[[(b)(Berlin)][(p)(Paris)]]`),
    widget('/FT/Ch/T(list)/Opt[(x)(y)]'),
    widget(`/FT/Btn/T(go)/Ff ${FLAG.pushButton}`),
    widget('/FT/Sig/T(sign)'),
    '<</T(twice)/Kids[14 0 R]>>',
  ]);
  test.each([
    [
      'a text that is too long',
      { zip: '123456' },
      'fields[0].value: the text field "zip" accepts at most 5 characters; the value has 6',
    ],
    [
      'a boolean for text',
      { zip: true },
      'fields[0].value: "zip" is a text field: the value must be a string',
    ],
    ['a list for text', { zip: ['1'] }, 'fields[0].value: "zip" is a text field: the value must be a string'],
    ['an unpaired surrogate', { zip: 'a\ud800' }, 'an unpaired surrogate'],
    ['a control character', { zip: 'a\u0000' }, 'the control character U+0000'],
    ['a read-only field', { fixed: 'x' }, '"fixed" is read-only'],
    ['an unknown text for a checkbox', { tick: 'perhaps' }, 'the value must be true, false or "Yes"'],
    [
      'an unknown option',
      { city: 'Rome' },
      '"city" is a dropdown without the option "Rome": the value must be one of "b", "p"',
    ],
    ['a boolean for a dropdown', { city: true }, 'the value must be one of "b", "p"'],
    ['two options for a list that accepts one', { list: ['x', 'y'] }, 'that accepts one option'],
    ['a button', { go: 'x' }, '"go" is a push button'],
    ['a signature', { sign: 'x' }, '"sign" is a signature field'],
    [
      'an unknown field',
      { zap: 'x' },
      'fields[0].name: there is no field "zap"; the fields of the PDF include "zip", "fixed"',
    ],
  ])('%s', async (_, sent, message) => {
    expect(await refusal(pdf, sent)).toContain(message);
  });

  test('all values if one is invalid, and names the index of that value', async () => {
    expect(await refusal(pdf, { zip: '1', tick: true, city: 'Rome' })).toStartWith('fields[2].value: "city"');
  });

  test('the same name twice', async () => {
    const { status, body } = await post(pdf, [
      { name: 'zip', value: '1' },
      { name: 'zip', value: '2' },
    ]);
    expect([status, body.error.message]).toEqual([400, 'fields[1].name: "zip" is already set by fields[0]']);
  });

  test.each([
    ['no fields', [], 'fields: must be a list of 1 to 10000 fields'],
    ['a field without a value', [{ name: 'zip' }], 'fields[0].value: is required'],
    ['a number', [{ name: 'zip', value: 3 }], 'fields[0].value: must be a string, true or false'],
    ['null', [{ name: 'zip', value: null }], 'fields[0].value: must be a string, true or false'],
    ['an unknown property', [{ name: 'zip', value: '', color: 'red' }], 'fields[0].color: unknown field'],
    ['fields that are a string', 'zip', 'fields: must be a list'],
  ])('%s', async (_, fields, message) => {
    const { status, body } = await post(pdf, fields);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });

  test('a PDF without a form', async () => {
    expect(await refusal(formPdf([]), { x: 'y' })).toContain('the PDF has no form fields');
  });
});
