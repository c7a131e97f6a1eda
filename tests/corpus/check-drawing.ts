import type { PNG } from 'pngjs';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { PdfiumFile } from '../forms/pdfium.ts';
import { drawnNumbers } from '../../packages/pdf/tests/drawn-numbers.ts';
import { plainPdf, stream } from '../../packages/pdf/tests/plain-pdf.ts';
import { pageCount, pdfText, perceivedDifference, rasterise } from '../support/pdf/pdf.ts';
import { syntaxFaults } from './compare.ts';

const DPI = 36;
/** The fraction of the pixels of a page that may change. */
const MAX_CHANGED = 0.004;
/** The fraction of the pixels that a number or a mark may change, on a page of at least 200 points. */
const MAX_DRAWN = 0.03;
/** Messages with which an operation may reject a file. */
const REFUSALS = [/^is signed/, /^has a signature/, /permissions do not allow changes/];

function loadTasks(sandbox: Sandbox) {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const { flatten } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/flatten/task.ts')>(
    new URL('flatten/task.ts', operations),
  );
  const { number } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/number/task.ts')>(
    new URL('number/task.ts', operations),
  );
  const { draw } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/watermark/task.ts')>(
    new URL('watermark/task.ts', operations),
  );
  return { flatten, number, draw };
}

/** Checks that a flattened file has no form and looks the same in poppler and pdfium. */
export async function checkFlatten(sandbox: Sandbox, pdf: Buffer): Promise<string[]> {
  const result = await loadTasks(sandbox).flatten({ pdf: { raw: Buffer.from(pdf) } });
  if (!result.ok) return REFUSALS.some((reason) => reason.test(result.message)) ? [] : [result.message];
  if ('toDraw' in result.value) return ['needs a browser'];
  const flattened = result.value.pdf;
  const faults = await checkFile(flattened, pdf);
  faults.push(
    ...compare('poppler', await rasterise(pdf, { dpi: DPI }), await rasterise(flattened, { dpi: DPI })),
  );
  faults.push(...compare('pdfium', await drawWithPdfium(pdf), await drawWithPdfium(flattened)));
  return faults;
}

/** A page with the text of the marks. */
const MARK = plainPdf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 60 20]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
  stream('BT /F 12 Tf 4 5 Td (MARKED) Tj ET'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
]);

/** Checks that each page of a marked file contains the mark, and that little else changes. */
export async function checkMark(
  sandbox: Sandbox,
  pdf: Buffer,
  kind: 'watermark' | 'stamp',
): Promise<string[]> {
  const watermark = {
    source: { pdf: { raw: Buffer.from(MARK, 'latin1') }, area: 'pages' as const, field: 'overlay' },
    placement: { position: 'bottom' as const, rotation: 0, tile: false, size: { factor: 1 }, scale: 1 },
    ...(kind === 'watermark'
      ? { opacity: 0.2, layer: 'under' as const }
      : { opacity: 1, layer: 'over' as const }),
  };
  const result = await loadTasks(sandbox).draw({ pdf: { raw: Buffer.from(pdf) }, watermark });
  if (!result.ok) return REFUSALS.some((reason) => reason.test(result.message)) ? [] : [result.message];
  return checkDrawn(result.value.pdf, pdf, () => 'MARKED');
}

/** Checks that each page of a numbered file contains its number, and that little else changes. */
export async function checkNumber(sandbox: Sandbox, pdf: Buffer): Promise<string[]> {
  const numbering = {
    source: { pdf: { raw: Buffer.from(drawnNumbers(['of']), 'latin1') }, field: 'format' },
    parts: ['pageNumber', 0, 'totalPages'] as const,
    placement: {
      position: 'bottom' as const,
      rotation: 0,
      tile: false,
      size: { factor: 0.5 },
      scale: 1,
    },
  };
  const result = await loadTasks(sandbox).number({ pdf: { raw: Buffer.from(pdf) }, numbering });
  if (!result.ok) return REFUSALS.some((reason) => reason.test(result.message)) ? [] : [result.message];
  return checkDrawn(result.value.pdf, pdf, (page, pages) => `${page}of${pages}`);
}

/** Checks that each page of a file contains the drawn text, and that little else changes. */
async function checkDrawn(
  made: Uint8Array,
  source: Uint8Array,
  textOf: (page: number, pages: number) => string,
): Promise<string[]> {
  const faults = await checkFile(made, source);
  const texts = (await pdfText(made)).split('\f').map((text) => text.replaceAll(/\s+/g, ''));
  const [before, after] = [
    await rasterise(source, { dpi: DPI, cropBox: true }),
    await rasterise(made, { dpi: DPI, cropBox: true }),
  ];
  for (const [index, image] of after.entries()) {
    // The drawing is larger than a small page.
    if (Math.min(image.width, image.height) < 100) continue;
    const text = textOf(index + 1, after.length);
    if (!texts[index]?.includes(text)) faults.push(`page ${index + 1} does not have the text ${text}`);
  }
  const { pages } = perceivedDifference(before, after);
  for (const { page, changed, pixels } of pages)
    if (changed > Math.max(pixels * MAX_DRAWN, 400))
      faults.push(`page ${page}: ${changed} of ${pixels} pixels changed`);
  return faults;
}

/** Checks the page count and the syntax, unless the source is not clean either. */
async function checkFile(made: Uint8Array, source: Uint8Array): Promise<string[]> {
  const faults: string[] = [];
  const [pages, expected] = [await pageCount(made), await pageCount(source)];
  if (pages !== expected) faults.push(`${pages} pages, not ${expected}`);
  return [...faults, ...(await syntaxFaults(made, source))];
}

/** Draws all pages with PDFium, without the code under test. */
export async function drawWithPdfium(pdf: Uint8Array): Promise<PNG[]> {
  using file = await PdfiumFile.open(pdf);
  return file.draw({ dpi: DPI });
}

function compare(reader: string, before: PNG[], after: PNG[]): string[] {
  const { pages } = perceivedDifference(before, after);
  return pages
    .filter(({ changed, pixels }) => changed > pixels * MAX_CHANGED)
    .map(({ page, changed, pixels }) => `${reader}: page ${page}: ${changed} of ${pixels} pixels changed`);
}
