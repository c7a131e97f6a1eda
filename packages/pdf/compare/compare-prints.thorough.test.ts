import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { comparePrints } from './compare-prints.ts';

/** The content of one page of 200 × 100 points each, with Helvetica as /F. */
function pdfOf(contents: readonly string[], size = '200 100'): Uint8Array {
  const kids = contents.map((_, page) => `${4 + 2 * page} 0 R`).join(' ');
  const pages = contents.flatMap((content, page) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Resources<</Font<</F 3 0 R/B ${4 + 2 * contents.length} 0 R>>>>/Contents ${5 + 2 * page} 0 R>>`,
    stream(content),
  ]);
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`;
  const pdf = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`,
    font('Helvetica'),
    ...pages,
    font('Helvetica-Bold'),
  ]);
  return Buffer.from(pdf, 'latin1');
}

const text = (line: string, { x = 20, y = 70, font = 'F', size = 12 } = {}) =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${line}) Tj ET\n`;
const box = (colour: string, { x = 20, y = 20, width = 30, height = 20 } = {}) =>
  `${colour} rg ${x} ${y} ${width} ${height} re f\n`;

async function compare(before: Uint8Array, after: Uint8Array, maxImages = 10) {
  using expected = await PdfiumDocument.open(before);
  using printed = await PdfiumDocument.open(after);
  return await comparePrints(printed, expected, { maxImages });
}

/** Compares two documents of one page. */
async function comparePages(before: string, after: string) {
  const { pages, layout } = await compare(pdfOf([before]), pdfOf([after]));
  return {
    equal: pages[0]?.equal,
    changed: pages[0]?.changedFraction,
    findings: layout.map(({ finding }) => finding),
  };
}

describe('comparePrints', () => {
  test('finds the same document equal, without a picture of changes', async () => {
    const pdf = pdfOf([text('Total 90') + box('1 0 0'), text('Page 2')]);
    const { pages, layout } = await compare(pdf, pdf);
    expect(layout).toEqual([]);
    expect(pages).toMatchObject([
      { page: 1, equal: true, changedFraction: 0 },
      { page: 2, equal: true, changedFraction: 0 },
    ]);
    expect(pages.map(({ image, diff }) => [image !== undefined, diff !== undefined])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test('quotes a line whose text has changed', async () => {
    const { equal, findings } = await comparePages(text('Total 90'), text('Total 91'));
    expect(equal).toBe(false);
    expect(findings).toEqual(['the line "Total 90" is now "Total 91"']);
  });

  test('says that a line wraps, and which lines it moves', async () => {
    const { findings } = await comparePages(
      text('Payable within ten days') + text('Thank you', { y: 55 }),
      text('Payable within') + text('ten days', { y: 55 }) + text('Thank you', { y: 40 }),
    );
    expect(findings).toEqual([
      'the text "Payable within ten days" is on 2 lines, and was on 1 line: "Payable within", "ten days"',
      'the line "Thank you" moved 15 pt down',
    ]);
  });

  test('says that a paragraph breaks in other places', async () => {
    const { findings } = await comparePages(
      text('one two three') + text('four', { y: 55 }),
      text('one two') + text('three four', { y: 55 }),
    );
    expect(findings).toEqual(['the lines from "one two three" on break in other places']);
  });

  test('ignores movements of less than a pixel, of text and of boxes', async () => {
    const at = (x: number, y: number) =>
      text('Hinted', { x, y: y + 50 }) +
      text('small', { x, y: y + 30, size: 7 }) +
      box('0.2 0.4 0.8', { x, y });
    for (const distance of [0.15, 0.4, 0.7])
      expect(await comparePages(at(20, 20), at(20 + distance, 20 + distance))).toEqual({
        equal: true,
        changed: 0,
        findings: [],
      });
    const moved = await comparePages(box('0 0 0', { x: 20 }), box('0 0 0', { x: 24 }));
    expect(moved).toMatchObject({ equal: false, findings: [] });
  });

  test('finds another colour of a small box, and a hairline that is gone', async () => {
    const small = { width: 6, height: 6 };
    const colour = await comparePages(box('0.9 0.9 0.9', small), box('0.86 0.9 0.9', small));
    expect(colour).toMatchObject({ equal: false, findings: [] });
    expect(colour.changed).toBeGreaterThan(0);
    expect(colour.changed).toBeLessThan(0.01);
    const line = (grey: number) => `${grey} G 0.5 w 20 30 m 180 30 l S`;
    expect(await comparePages(line(0.8), '')).toMatchObject({ equal: false });
    expect(await comparePages(line(0.8), line(0.6))).toMatchObject({ equal: false });
    const word = await comparePages(`0 g ${text('Total')}`, `0.5 g ${text('Total')}`);
    expect(word).toMatchObject({ equal: false, findings: [] });
  });

  test('counts the pages, and shows an added page without a picture of changes', async () => {
    const [one, two] = [pdfOf([text('A')]), pdfOf([text('A'), text('B')])];
    const added = await compare(one, two);
    expect(added.layout).toEqual([
      { page: null, finding: 'the document has 2 pages, and the accepted one has 1 page' },
    ]);
    expect(added.pages[1]).toMatchObject({ page: 2, equal: false, changedFraction: 1 });
    expect([added.pages[1]?.image !== undefined, added.pages[1]?.diff]).toEqual([true, undefined]);
    const removed = await compare(two, one);
    expect(removed.pages[1]).toEqual({ page: 2, equal: false, changedFraction: 1 });
  });

  test('names another size of the page, another font and another font size', async () => {
    const { layout } = await compare(pdfOf([text('A')]), pdfOf([text('A')], '210 100'));
    expect(layout).toEqual([{ page: 1, finding: 'the page is 210 × 100 pt in size, and was 200 × 100 pt' }]);
    const bold = await comparePages(text('Sum'), text('Sum', { font: 'B' }));
    expect(bold.findings).toEqual(['the line "Sum" is printed in Helvetica-Bold, and was in Helvetica']);
    const large = await comparePages(text('Total amount'), text('Total amount', { size: 13 }));
    expect(large.findings[0]).toMatch(/^the line "Total amount" is [\d.]+ pt wide, and was [\d.]+ pt$/);
  });

  test('marks what is gone in red and what is new in blue, in an orange frame', async () => {
    const { pages } = await compare(pdfOf([box('0 0 0', { x: 20 })]), pdfOf([box('0 0 0', { x: 120 })]));
    const { width, data } = PNG.sync.read(Buffer.from(pages[0]?.diff ?? []));
    const colourAt = (x: number, y: number) => {
      const at = 4 * (Math.round((100 - y) * (96 / 72)) * width + Math.round(x * (96 / 72)));
      return [...data.subarray(at, at + 3)];
    };
    expect(colourAt(35, 30)).toEqual([214, 40, 40]);
    expect(colourAt(135, 30)).toEqual([29, 78, 216]);
    expect(colourAt(15, 30)).toEqual([245, 130, 32]);
    expect(colourAt(80, 90)).toEqual([255, 255, 255]);
  });

  test('gives images to pages that differ first, up to the limit', async () => {
    const same = text('same');
    const { pages } = await compare(pdfOf([same, same, text('old')]), pdfOf([same, same, text('new')]), 3);
    expect(pages.map(({ image, diff }) => [image !== undefined, diff !== undefined])).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
  });

  test('shortens the list of findings of a page', async () => {
    const lines = (word: string) =>
      Array.from({ length: 30 }, (_, index) => text(`${word} ${index}`, { y: 98 - 3 * index, size: 3 })).join(
        ' ',
      );
    const { findings } = await comparePages(lines('old'), lines('new'));
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)).toBe('10 more differences');
    const many = (word: string) => pdfOf(Array.from({ length: 8 }, () => lines(word)));
    const { layout } = await compare(many('old'), many('new'), 0);
    expect(layout).toHaveLength(101);
    expect(layout.at(-1)).toEqual({ page: null, finding: '68 more differences on other pages' });
  });

  test('finds a wide page and a tall one wholly different', async () => {
    const { pages, layout } = await compare(pdfOf([''], '14400 3'), pdfOf([''], '3 14400'));
    expect(pages).toMatchObject([{ equal: false, changedFraction: 1, image: expect.anything() }]);
    expect(pages[0]?.diff).toBeUndefined();
    expect(layout).toEqual([{ page: 1, finding: 'the page is 3 × 14400 pt in size, and was 14400 × 3 pt' }]);
  });
});
