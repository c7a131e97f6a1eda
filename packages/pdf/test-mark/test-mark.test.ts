import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { drawPage } from '../images/task.ts';
import { loadSharp } from '../images/sharp.ts';
import { PdfDocument, readPages } from '../objects/index.ts';
import { readProperties } from '../properties/properties.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { markAsTest } from './mark-document.ts';
import { markImageAsTest, type MarkedImageFormat } from './mark-image.ts';

const NOW = Date.UTC(2026, 10, 27);
const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const mark = (pdf: string | Uint8Array) => markAsTest(open(pdf), NOW);

/** A file with a page for each MediaBox, whose content leaves a scale of zero behind. */
const pagesPdf = (boxes: readonly string[], page = '') =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${boxes.map((_, index) => `${4 + index} 0 R`).join(' ')}]/Count ${boxes.length}>>`,
    stream('q 0 0 0 0 0 0 cm'),
    ...boxes.map((box) => `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 3 0 R${page}>>`),
  ]);

/** Returns the part of the pixels of a page that are not white. */
async function inkOf(pdf: Uint8Array, page = 0): Promise<number> {
  const drawn = await drawPage({ pdf: new Uint8Array(pdf), page, dpi: 72, maxSidePx: 600 });
  if (!drawn.ok) throw new Error(drawn.message);
  return inkIn(await pixelsOf(drawn.value));
}

const inkIn = (grey: Uint8Array) => grey.filter((level) => level < 200).length / grey.length;

const pixelsOf = (image: Uint8Array) =>
  decode(() => sharp(image).flatten({ background: 'white' }).greyscale().raw().toBuffer());

async function xmpOf(image: Uint8Array): Promise<string> {
  const { xmp } = await decode(() => sharp(image).metadata());
  return String(xmp);
}

/** Decodes an image of any format. */
async function decode<T>(work: () => Promise<T>): Promise<T> {
  sharp.unblock({ operation: ['VipsForeignLoad'] });
  try {
    return await work();
  } finally {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
  }
}

describe('markAsTest', () => {
  test.each([
    ['upright', '0 0 595 842', ''],
    ['turned', '0 0 842 595', '/Rotate 90'],
    ['with an offset and units of its own', '-100 -100 300 200', '/UserUnit 2'],
    ['small', '0 0 20 10', ''],
  ])('draws over a page that is %s', async (_, box, page) => {
    const pdf = pagesPdf([box], page);
    expect(await inkOf(Buffer.from(pdf, 'latin1'))).toBe(0);
    const marked = mark(pdf);
    expect(await inkOf(marked ?? new Uint8Array())).toBeGreaterThan(0.01);
  });

  test('marks every page, and writes the keyword to the information dictionary and to XMP', async () => {
    const marked = mark(pagesPdf(['0 0 200 100', '0 0 100 200', '0 0 200 100'])) ?? new Uint8Array();
    for (const page of [0, 1, 2]) expect(await inkOf(marked, page)).toBeGreaterThan(0.01);
    expect(readPages(open(marked)).pages).toHaveLength(3);
    expect(readProperties(open(marked)).keywords).toEqual(['TEST']);
    expect(Buffer.from(marked).toString('latin1')).toContain('<rdf:li>TEST</rdf:li>');
  });

  test('keeps other keywords', () => {
    const pdf = plainPdf(
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
        '<</Keywords(finance, 2026)>>',
      ],
      '/Info 4 0 R',
    );
    expect(readProperties(open(mark(pdf) ?? '')).keywords).toEqual(['finance', '2026', 'TEST']);
  });

  test('does not change a document whose pages are all marked, and marks pages that were added', () => {
    const marked = mark(pagesPdf(['0 0 200 100'])) ?? new Uint8Array();
    expect(mark(marked)).toBeNull();
    const text = Buffer.from(marked).toString('latin1');
    expect(text.match(/\/Contents/g)).toHaveLength(1);
    // A keyword without the outlines is not a mark.
    const fake = plainPdf(
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
        '<</Keywords(TEST)>>',
      ],
      '/Info 4 0 R',
    );
    expect(mark(fake)).not.toBeNull();
  });
});

describe('markImageAsTest', () => {
  const blank = (format: MarkedImageFormat, width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#ffffff00' } })
      .toFormat(format)
      .toBuffer();

  test.each<[MarkedImageFormat, number, number]>([
    ['png', 640, 480],
    ['jpeg', 640, 480],
    ['webp', 640, 480],
    ['png', 16, 16],
    ['png', 30, 3_000],
    ['jpeg', 3_000, 700],
  ])('marks a %s of %d x %d pixels, and writes its metadata', async (format, width, height) => {
    const image = await blank(format, width, height);
    const marked = await markImageAsTest(image, { format, quality: format === 'png' ? undefined : 80 });
    expect(await new Bun.Image(marked).metadata()).toMatchObject({ format, width, height });
    expect(inkIn(await pixelsOf(marked))).toBeGreaterThan(format === 'jpeg' ? 0 : 0.005);
    expect(await xmpOf(marked)).toContain('<rdf:li>TEST</rdf:li>');
  });

  test('leaves the formats that callers must not send blocked', async () => {
    const png = await blank('png', 10, 10);
    await markImageAsTest(png, { format: 'png', quality: undefined });
    const configured = await loadSharp();
    const read = configured(png).metadata();
    expect(await read.catch(() => 'rejected')).toBe('rejected');
  });
});
