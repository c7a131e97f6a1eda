import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { compareDocuments, type ComparisonRequest } from './compare.ts';

/** Pages of 100 x 50 points, or of other sizes, with a rectangle each. */
function boxesPdf(boxes: readonly string[], sizes: readonly string[] = []): Buffer {
  const kids = boxes.map((_, page) => `${3 + 2 * page} 0 R`).join(' ');
  const pages = boxes.flatMap((box, page) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${sizes[page] ?? '100 50'}]/Resources<<>>/Contents ${4 + 2 * page} 0 R>>`,
    stream(box === '' ? '' : `${box} re f`),
  ]);
  const pdf = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${boxes.length}>>`,
    ...pages,
  ]);
  return Buffer.from(pdf, 'latin1');
}

async function compare(a: Uint8Array, b: Uint8Array, request: Partial<ComparisonRequest> = {}) {
  using first = await PdfiumDocument.open(a);
  using second = await PdfiumDocument.open(b);
  return await compareDocuments([first, second], { dpi: 72, tolerance: 0.01, ...request });
}

describe('compareDocuments', () => {
  test('finds equal documents equal', async () => {
    const pdf = boxesPdf(['10 10 20 20', '']);
    expect(await compare(pdf, pdf)).toEqual([
      { page: 1, equal: true, changedFraction: 0 },
      { page: 2, equal: true, changedFraction: 0 },
    ]);
  });

  test('counts the pixels of a difference, and marks them', async () => {
    const [first, second] = await compare(boxesPdf(['', '0 0 10 10']), boxesPdf(['', '0 0 10 20']));
    expect(first).toEqual({ page: 1, equal: true, changedFraction: 0 });
    expect(second).toMatchObject({ page: 2, equal: false, changedFraction: 100 / 5000 });
    const { width, height, data } = PNG.sync.read(Buffer.from(second?.image ?? []));
    expect([width, height]).toEqual([100, 50]);
    const colour = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    expect(colour(5, 35)).toEqual([255, 0, 0]);
    expect(colour(50, 10)).toEqual([255, 255, 255]);
    const [red = 0, ...others] = colour(5, 45);
    expect(red).toBeGreaterThan(200);
    expect(others).toEqual([red, red]);
  });

  test('ignores differences of colour within the tolerance', async () => {
    const grey = (level: string) => boxesPdf([`${level} g 0 0 10 10`]);
    const [strict] = await compare(grey('0.5'), grey('0.45'));
    const [lenient] = await compare(grey('0.5'), grey('0.45'), { tolerance: 0.2 });
    expect([strict?.equal, lenient?.equal]).toEqual([false, true]);
  });

  test('counts pages that only one document has, and areas that only one page covers', async () => {
    expect(await compare(boxesPdf(['', '']), boxesPdf(['']))).toMatchObject([
      { equal: true },
      { page: 2, equal: false, changedFraction: 1, onlyIn: 0 },
    ]);
    expect((await compare(boxesPdf(['']), boxesPdf(['', ''])))[1]).toMatchObject({ onlyIn: 1 });
    for (const tolerance of [0.01, 1]) {
      const [page] = await compare(boxesPdf(['']), boxesPdf([''], ['50 100']), { tolerance });
      expect(page).toMatchObject({ equal: false, changedFraction: 0.75 });
      const { width, height } = PNG.sync.read(Buffer.from(page?.image ?? []));
      expect([width, height]).toEqual([100, 100]);
    }
  });

  test('makes images of the first 100 pages that differ', async () => {
    const [some, none] = ['0 0 5 5', ''].map((box) =>
      boxesPdf(Array<string>(102).fill(box), Array<string>(102).fill('10 10')),
    );
    const pages = await compare(some ?? Buffer.alloc(0), none ?? Buffer.alloc(0));
    expect(pages.every(({ equal }) => !equal)).toBe(true);
    expect(pages.map(({ image }) => image !== undefined).lastIndexOf(true)).toBe(99);
  });

  test('rejects pages with too many pixels', async () => {
    const huge = boxesPdf([''], ['14400 14400']);
    const error = await compare(huge, huge, { dpi: 300 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      field: 'dpi',
      message: 'makes page 1 larger than 12000000 pixels; send 17 or less',
    });
  });

  test('rejects a wide page and a tall page that together cover too many pixels', async () => {
    const [wide, tall] = [boxesPdf([''], ['1000000 10']), boxesPdf([''], ['10 1000000'])];
    const error = await compare(wide, tall).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      field: 'dpi',
      message: 'makes page 1 larger than 48000000 pixels when both PDFs are aligned; send a lower value',
    });
  });
});
