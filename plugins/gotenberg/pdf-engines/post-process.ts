import { AppError } from '../../../src/plugin.ts';
import type { OperationsResult, OperationStep } from '../../pdf-tools/contract.ts';
import { explainOperation, invalidField, unsupportedFormat, unsupportedSplit } from './errors.ts';
import { markSteps } from './marks.ts';
import { metadataSteps } from './metadata.ts';
import { pagesOfField, selectPages, toRanges } from './page-selection.ts';
import type {
  Bookmarks,
  Encryption,
  Engines,
  FacturX,
  MergePdfs,
  NamedPdf,
  Processing,
  ProcessPdfs,
  Split,
} from './processing.ts';

/**
 * Runs steps on PDFs.
 * @throws {AppError} an error that names the file or the field of the form
 */
export async function runSteps(
  { caller, tools }: Engines,
  pdfs: readonly NamedPdf[],
  steps: readonly OperationStep[],
): Promise<OperationsResult> {
  const request = { pdfs: pdfs.map(({ pdf }) => pdf), steps, allowProtection: true };
  return tools.run(caller, request).catch((error: unknown) => {
    throw explainOperation(error, { names: pdfs.map(({ name }) => name), steps });
  });
}

/** Runs steps whose result is a PDF. */
async function change(engines: Engines, pdf: NamedPdf, steps: readonly OperationStep[]): Promise<NamedPdf> {
  if (steps.length === 0) return pdf;
  const result = await runSteps(engines, [pdf], steps);
  if (!('made' in result)) throw new Error('the steps gave no PDF');
  return { name: pdf.name, pdf: result.made.pdf };
}

/** Runs an operation that only reads, and returns the JSON of its response. */
export async function readWith(engines: Engines, pdf: NamedPdf, operation: string): Promise<Uint8Array> {
  const result = await runSteps(engines, [pdf], [{ do: operation }]);
  if (!('answer' in result)) throw new Error(`${operation} gave no response`);
  return result.answer.bytes;
}

/** Returns the number of pages and the title of a PDF, which may be empty. */
export async function readInfo(engines: Engines, pdf: NamedPdf): Promise<{ pages: number; title: string }> {
  const info = await readWith(engines, pdf, 'info');
  const { pages, title } = JSON.parse(Buffer.from(info).toString('utf8')) as { pages: number; title: string };
  return { pages, title: title.trim() };
}

export const mergePdfs: MergePdfs = async (engines, pdfs) => {
  const [first, second] = pdfs;
  if (!first) throw new Error('there is no PDF to merge');
  if (!second) {
    // Reports a file that is not a PDF.
    await readInfo(engines, first);
    return first.pdf;
  }
  const result = await runSteps(engines, pdfs, [{ do: 'merge' }]);
  if (!('made' in result)) throw new Error('merge gave no PDF');
  return result.made.pdf;
};

export const processPdfs: ProcessPdfs = async (engines, pdfs, processing) => {
  checkFormats(processing);
  const results: NamedPdf[] = [];
  for (const pdf of pdfs)
    for (const part of await splitPdf(engines, pdf, processing.split))
      results.push(await processPdf(engines, part, processing));
  return results;
};

/**
 * Checks the formats of a request. With `isNative`, LibreOffice would apply them in Gotenberg.
 * @throws {AppError} unless Platen can make the format
 */
export function checkFormats({ pdfa = '' }: Processing, { isNative = false } = {}): void {
  if (pdfa === '' || LEVELS.has(pdfa)) return;
  if (/^PDF\/A-(?:[123]a|4[ef]?)$/i.test(pdfa))
    throw new AppError(
      'NOT_IMPLEMENTED',
      `Platen does not convert to ${pdfa}. It converts to ${[...LEVELS.keys()].join(', ')}.`,
    );
  throw unsupportedFormat(pdfa, { isNative });
}

const LEVELS: ReadonlyMap<string, string> = new Map(
  ['1b', '2b', '2u', '3b', '3u'].map((level) => [`PDF/A-${level}`, level]),
);

async function splitPdf(engines: Engines, pdf: NamedPdf, split: Split | undefined): Promise<NamedPdf[]> {
  if (!split) return [pdf];
  const { pages: count } = await readInfo(engines, pdf);
  const baseName = withoutExtension(pdf.name);
  if (split.mode === 'pages' && split.unify) {
    const pages = toRanges(requirePages(split.span, count));
    return [{ ...(await change(engines, pdf, [{ do: 'pages', pages }])), name: `${baseName}.pdf` }];
  }
  const ranges =
    split.mode === 'intervals'
      ? intervals(split.span, count)
      : requirePages(split.span, count).map((page) => [page]);
  const result = await runSteps(engines, [pdf], [{ do: 'split', ranges }]);
  if (!('parts' in result)) throw new Error('split gave no parts');
  return result.parts.map((part, index) => ({ name: `${baseName}_${index}.pdf`, pdf: part.pdf }));
}

function intervals(span: number, count: number): number[][] {
  const ranges: number[][] = [];
  for (let first = 1; first <= count; first += span) ranges.push([first, Math.min(count, first + span - 1)]);
  return ranges;
}

function requirePages(span: string, count: number): number[] {
  const pages = selectPages(span, count);
  if (!pages) throw unsupportedSplit();
  if (pages.length === 0)
    throw invalidField(
      'splitSpan',
      `selects no page; the PDF has ${count === 1 ? '1 page' : `${count} pages`}`,
    );
  return pages;
}

async function processPdf(engines: Engines, pdf: NamedPdf, processing: Processing): Promise<NamedPdf> {
  const { watermarks = [], stamps = [], rotation, flatten, imageQuality, facturX, metadata } = processing;
  const needsCount = watermarks.length + stamps.length > 0 || rotation !== undefined;
  const count = needsCount ? (await readInfo(engines, pdf)).pages : 0;
  const steps: OperationStep[] = [
    ...(await markSteps('watermark', watermarks, count)),
    ...(await markSteps('stamp', stamps, count)),
    ...(rotation ? [rotationStep(rotation, count)] : []),
    ...(flatten ? [{ do: 'flatten' }] : []),
    ...(imageQuality === undefined ? [] : [compressStep(imageQuality)]),
    ...embedSteps(processing),
    ...(processing.pdfua ? [await accessibleStep(engines, pdf)] : []),
    ...formatSteps(processing),
    // After the conversion to PDF/A, which drops custom metadata.
    ...(facturX ? [facturXStep(facturX)] : []),
    ...bookmarkSteps(processing.bookmarks, pdf.name),
    ...metadataSteps(metadata ?? {}),
    ...(processing.encryption ? [encryptStep(processing.encryption)] : []),
  ];
  return change(engines, pdf, steps);
}

function rotationStep({ angle, pages }: NonNullable<Processing['rotation']>, count: number): OperationStep {
  const rotated = new Set(pagesOfField('rotatePages', pages, count));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  // Neighbours that are turned alike form one range.
  const runs: { isRotated: boolean; pages: number[] }[] = [];
  for (const page of all) {
    const isRotated = rotated.has(page);
    if (runs.at(-1)?.isRotated !== isRotated) runs.push({ isRotated, pages: [] });
    runs.at(-1)?.pages.push(page);
  }
  const list = runs.map((run) => toRanges(run.pages, run.isRotated ? `r${angle}` : ''));
  return { do: 'pages', pages: list.join(',') };
}

/** Encodes images again, and keeps the resolution of all but the finest. */
function compressStep(quality: number): OperationStep {
  return { do: 'compress', image_quality: quality, image_dpi: 1_200, allow_signature_loss: true };
}

function embedSteps({ embeds = [] }: Processing): OperationStep[] {
  if (embeds.length === 0) return [];
  const add = embeds.map(({ name, data, mimeType, relationship }) => ({
    name,
    data: { raw: data },
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(relationship !== undefined && { relationship: relationship.toLowerCase() }),
  }));
  return [{ do: 'attachments', add }];
}

/** Returns the step to PDF/UA, which requires a title: a PDF without one gets the name of its file. */
async function accessibleStep(engines: Engines, pdf: NamedPdf): Promise<OperationStep> {
  const { title } = await readInfo(engines, pdf);
  return { do: 'accessible', ...(title === '' && { title: withoutExtension(pdf.name) }) };
}

function formatSteps({ pdfa = '', facturX }: Processing): OperationStep[] {
  // An invoice converts to PDF/A-3b itself.
  const level = facturX ? undefined : LEVELS.get(pdfa);
  return level === undefined ? [] : [{ do: 'pdfa', level, allow_signature_loss: true }];
}

function bookmarkSteps(bookmarks: Bookmarks | undefined, name: string): OperationStep[] {
  if (!bookmarks) return [];
  const set = 'all' in bookmarks ? bookmarks.all : bookmarks.byFile.get(name);
  return set && ('byFile' in bookmarks || set.length > 0) ? [{ do: 'outline', set }] : [];
}

const PROFILES: Readonly<Record<FacturX['level'], string>> = {
  MINIMUM: 'minimum',
  'BASIC WL': 'basic_wl',
  BASIC: 'basic',
  'EN 16931': 'en16931',
  EXTENDED: 'extended',
  XRECHNUNG: 'xrechnung',
};

function facturXStep({ xml, level, documentType, version }: FacturX): OperationStep {
  const profile = PROFILES[level];
  return { do: 'invoice', profile, xml: { raw: xml }, check: false, document_type: documentType, version };
}

function encryptStep({ userPassword, ownerPassword, ...permissions }: Encryption): OperationStep {
  return {
    do: 'protect',
    owner_password: ownerPassword === '' ? userPassword : ownerPassword,
    user_password: userPassword,
    permissions,
  };
}

/** Returns the name of a file without its extension. */
export function withoutExtension(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
