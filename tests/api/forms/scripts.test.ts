import { beforeAll, expect, test } from 'bun:test';
import type { PNG } from 'pngjs';
import { readFieldsWithQpdf } from '../../forms/qpdf-fields.ts';
import { darkPixels, similarity, type DarkPixels } from '../../support/pdf/dark-pixels.ts';
import { describeWithPdfTools, qpdfCheck, rasterise } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { plainPdf } from '../../support/pdf/samples.ts';

const service = sharedService();

/** Texts in writing systems whose letters join, stack, mirror or are reordered. */
const samples: Readonly<Record<string, string>> = {
  Latin: 'Żółć Ærøskøbing Nguyễn',
  Greek: 'Ξεσκεπάζω τὴν ψυχή',
  Cyrillic: 'Съешь ещё этих їжаків',
  Arabic: 'السلام عليكم ١٢٣ لا',
  Hebrew: 'שָׁלוֹם עולם 42',
  Devanagari: 'क्षत्रिय श्रीमान् हिन्दी',
  Thai: 'น้ำใจ ที่นี่ กตัญญู',
  Chinese: '汉字書體測試',
  Japanese: 'ひらがなカタカナ漢字',
  Korean: '안녕하세요 대한민국',
  Emoji: '😀 👩‍🚀 🇫🇷 ❤️',
  Mixed: 'Ada مرحبا 王小明 नमस्ते 🙂',
};

const WIDTH = 240;
// High enough for the lines of every font, so that no text is made smaller.
const HEIGHT = 44;
const STEP = 54;
const SIZE = 16;
const DPI = 144;
const names = Object.keys(samples);
const paper = { width: WIDTH + 20, height: names.length * STEP };

/**
 * Prints texts with Chromium in boxes of the same size and font, slightly inset because fields have a border.
 */
async function printTexts(texts: readonly string[]): Promise<PNG> {
  const box = `position:absolute;left:14pt;width:${WIDTH - 4}pt;height:${HEIGHT}pt;display:flex;align-items:center;white-space:pre;overflow:hidden`;
  const rows = texts.map(
    (text, index) =>
      `<div style="${box};top:${index * STEP}pt"><div dir="auto" style="flex:none">${text}</div></div>`,
  );
  const html = `<meta charset="utf-8"><style>body{margin:0;text-rendering:geometricPrecision;font:${SIZE}pt 'Liberation Sans','Noto Sans',sans-serif}</style>${rows.join('')}`;
  const format = { width: `${paper.width}pt`, height: `${paper.height}pt` };
  const { status, body } = await service().post('/v1/generate', {
    html,
    options: { format, margin: '0' },
    output: 'base64',
  });
  expect([status, body.error]).toEqual([200, undefined]);
  const [page] = await rasterise(Buffer.from(body.data, 'base64'), { dpi: DPI });
  if (!page) throw new Error('nothing was printed');
  return page;
}

async function createFilledForm(): Promise<Buffer> {
  const blank = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${paper.width} ${paper.height}]/Resources<<>>>>`,
  ]);
  const place = { type: 'text', page: 0, x: 10, width: WIDTH, height: HEIGHT, font_size: SIZE };
  const fields = names.map((name, index) => ({
    name,
    ...place,
    y: paper.height - index * STEP - HEIGHT,
  }));
  const added = await service().post('/v1/pdf/forms/add-fields', {
    pdf: base64(blank),
    fields,
    output: 'base64',
  });
  expect([added.status, added.body.error]).toEqual([200, undefined]);
  const values = names.map((name) => ({ name, value: samples[name] }));
  const answer = await service().post('/v1/pdf/forms/fill', {
    pdf: added.body.data,
    fields: values,
    output: 'base64',
  });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return Buffer.from(answer.body.data, 'base64');
}

/** Returns the dark pixels inside the border of the box in a row. */
function inside(page: PNG, row: number): DarkPixels {
  const pixels = (points: number) => Math.round((points * DPI) / 72);
  const edge = 2;
  return darkPixels(page, {
    x: pixels(10 + edge),
    y: pixels(row * STEP + edge),
    width: pixels(WIDTH - 2 * edge),
    height: pixels(HEIGHT - 2 * edge),
  });
}

describeWithPdfTools('a form in twelve writing systems', () => {
  let pdf: Buffer;
  let form: PNG | undefined;
  let browser: PNG;
  beforeAll(async () => {
    pdf = await createFilledForm();
    [[form], browser] = await Promise.all([rasterise(pdf, { dpi: DPI }), printTexts(Object.values(samples))]);
  }, 60_000);

  test('is valid, and qpdf reads its values', async () => {
    await qpdfCheck(pdf);
    const fields = await readFieldsWithQpdf(pdf);
    expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toEqual(samples);
  });

  test.each(names)('%s looks the same as in Chromium', (name) => {
    if (!form) throw new Error('the form has no page');
    const row = names.indexOf(name);
    const [actual, expected] = [inside(form, row), inside(browser, row)];
    expect(expected.count).toBeGreaterThan(500);
    expect(similarity(actual, expected)).toBeGreaterThan(0.98);
  });

  test('the comparison detects text that is not shaped', async () => {
    const apart = (text = '') => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    const broken = await printTexts([
      apart(samples['Arabic']).join('\u200c'),
      Array.from(samples['Devanagari'] ?? '').join('\u200c'),
      apart(samples['Hebrew']).toReversed().join(''),
    ]);
    if (!form) throw new Error('the form has no page');
    for (const [row, name] of ['Arabic', 'Devanagari', 'Hebrew'].entries())
      expect(similarity(inside(form, names.indexOf(name)), inside(broken, row))).toBeLessThan(0.9);
  });
});
