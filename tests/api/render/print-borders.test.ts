import { expect, test } from 'bun:test';
import { drawPages } from '../../support/pdf/pixels.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const BOX = '<body style="margin: 0"><div style="border: 1px solid black; height: 100px"></div>';

/** Measures the width of the left and the right border of the box in a row through it, in dots at 300 dpi. */
async function borders(html: string, options: object): Promise<{ left: number; right: number }> {
  const { status, body } = await service().post('/v1/generate', { html, options, output: 'base64' });
  expect(status).toBe(200);
  const image = await drawPages(Buffer.from(body.data, 'base64'), { dpi: 300 });
  const [header = '', width = ''] = /^P6\s(\d+) \d+\s255\s/.exec(image.toString('latin1', 0, 40)) ?? [];
  const ink = (x: number, y: number) =>
    1 - (image[header.length + (y * Number(width) + x) * 3] ?? Number.NaN) / 255;
  const row = (y: number) => Array.from({ length: Number(width) }, (_, x) => ink(x, y));
  let top = 0;
  while (ink(Math.floor(Number(width) / 2), top) < 0.5) top += 1;
  // The box is more than 300 dots high.
  const middle = row(top + 100);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const half = middle.length / 2;
  return { left: sum(middle.slice(0, half)), right: sum(middle.slice(half)) };
}

describeWithPdfTools('the right border of a box of the full width', () => {
  test.each([
    { margin: '20mm', format: 'A4' },
    { margin: '10mm', format: 'A4' },
    { margin: '25mm' },
    { margin: '0.5in', format: 'Letter' },
    { margin: '20mm', format: 'Letter' },
    { margin: { top: 0, right: '17mm', bottom: 0, left: '23mm' }, format: 'Legal' },
    { margin: '15mm', orientation: 'landscape' },
    { margin: '3mm', format: { width: '80mm', height: '120mm' } },
    { margin: '10mm', header: '<b>Report</b>', footer: '{{pageNumber}}' },
    { margin: '20mm', firstPage: { header: '<b>Report</b>' } },
    {},
  ])('is as wide as the left border: %j', async (options) => {
    const { left, right } = await borders(BOX, options);
    expect(left).toBeGreaterThan(2);
    expect(right).toBeGreaterThan(left - 0.5);
  });

  test('is as wide as the left border in a scaled document', async () => {
    const { left, right } = await borders(BOX, { margin: '20mm', scale: 1.5 });
    expect(left).toBeGreaterThan(4);
    expect(right).toBeGreaterThan(left - 0.7);
  });

  test('is as wide as the left border in a document with scripts', async () => {
    const { left, right } = await borders(`${BOX}<script>document.title = 'x'</script>`, { margin: '20mm' });
    expect(left).toBeGreaterThan(2);
    expect(right).toBeGreaterThan(left - 0.5);
  });
});
