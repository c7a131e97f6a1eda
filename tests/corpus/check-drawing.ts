import type { PNG } from 'pngjs';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { PdfiumFile } from '../forms/pdfium.ts';
import { drawnNumbers } from '../../packages/pdf/tests/drawn-numbers.ts';
import { pageCount, pdfText, perceivedDifference, qpdfCheck, rasterise } from '../support/pdf.ts';

const DPI = 36;
/** The fraction of the pixels of a page that may change. */
const MAX_CHANGED = 0.004;
/** The fraction of the pixels that the numbers of a page may change, on a page of at least 200 points. */
const MAX_NUMBERED = 0.03;
/** Reasons for which a file is rejected. */
const REFUSALS = [/^is signed/, /permissions do not allow changes/];

function loadTasks(sandbox: Sandbox) {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const { flatten } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/flatten/task.ts')>(
    new URL('flatten/task.ts', operations),
  );
  const { number } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/number/task.ts')>(
    new URL('number/task.ts', operations),
  );
  return { flatten, number };
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

/** Checks that each page of a numbered file shows its number, and nothing else changes. */
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
  const numbered = result.value.pdf;
  const faults = await checkFile(numbered, pdf);
  const texts = (await pdfText(numbered)).split('\f').map((text) => text.replaceAll(/\s+/g, ''));
  const [before, after] = [
    await rasterise(pdf, { dpi: DPI, cropBox: true }),
    await rasterise(numbered, { dpi: DPI, cropBox: true }),
  ];
  for (const [index, image] of after.entries()) {
    const page = index + 1;
    // The numbers of small pages exceed the page.
    if (Math.min(image.width, image.height) < 100) continue;
    if (!texts[index]?.includes(`${page}of${after.length}`)) faults.push(`page ${page} has no number`);
  }
  const { pages } = perceivedDifference(before, after);
  for (const { page, changed, pixels } of pages)
    if (changed > Math.max(pixels * MAX_NUMBERED, 400))
      faults.push(`page ${page}: ${changed} of ${pixels} pixels changed`);
  return faults;
}

/** Checks the page count and the syntax, unless the source is not clean either. */
async function checkFile(made: Uint8Array, source: Uint8Array): Promise<string[]> {
  const faults: string[] = [];
  const [pages, expected] = [await pageCount(made), await pageCount(source)];
  if (pages !== expected) faults.push(`${pages} pages, not ${expected}`);
  const isClean = await qpdfCheck(source).then(
    () => true,
    () => false,
  );
  await qpdfCheck(made).catch((error: unknown) => {
    if (isClean) faults.push(String(error).split('\n').slice(0, 4).join(' '));
  });
  return faults;
}

async function drawWithPdfium(pdf: Uint8Array): Promise<PNG[]> {
  using file = await PdfiumFile.open(pdf);
  return file.draw({ dpi: DPI });
}

function compare(reader: string, before: PNG[], after: PNG[]): string[] {
  const { pages } = perceivedDifference(before, after);
  return pages
    .filter(({ changed, pixels }) => changed > pixels * MAX_CHANGED)
    .map(({ page, changed, pixels }) => `${reader}: page ${page}: ${changed} of ${pixels} pixels changed`);
}
