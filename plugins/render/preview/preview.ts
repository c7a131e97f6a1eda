import { invalid, RawJson, workContext, type Log } from '../../../src/plugin.ts';
import type { ProtectionSetting, SignatureSetting } from '../../documents/contract.ts';
import type { DocumentRequest, PageRequest, UnrecordedPdf, UnrecordedRequest } from '../contract.ts';
import { printPdf, type PrintPdfParts } from '../print-pdf.ts';
import { inputTypeOf } from '../generations/generation.ts';
import { checkFormat, type FormatParts } from '../office/check-request.ts';
import type { DrawPage } from './page-image.ts';
import { toPrintSetup, type PrintLimits } from '../print/print-options.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import type { Receipts } from '../receipt/receipts.ts';
import { noteSchemaFaults } from '../source/source.ts';
import { warningsOf } from '../receipt/warnings.ts';
import { explainRenderError, RenderError } from '../render-error.ts';

/** The maximum number of pages of a preview. */
export const MAX_PREVIEW_PAGES = 20;

/** The services that print documents without a record. */
export interface UnrecordedParts extends PrintPdfParts, FormatParts, Pick<PrintLimits, 'hasEarlierBrowser'> {
  receipts: Pick<Receipts, 'begin' | 'isOn'>;
  /** The deadline of a document. */
  timeoutMs: number;
  protection: ProtectionSetting;
  signing: SignatureSetting;
  log: Log;
}

/** The services that {@link renderPreview} uses. */
export interface PreviewParts extends UnrecordedParts {
  drawPage: DrawPage;
}

export interface PreviewRequest extends Pick<
  PageRequest,
  'source' | 'data' | 'locale' | 'translationsJson' | 'styles' | 'options'
> {
  accountId: string;
  /** Draws this page, from 1, as a PNG instead of returning the PDF. */
  page?: number | undefined;
  /** Whether the pages are marked as those of a test document. */
  isTest: boolean;
  /** Records how the document was made. */
  receipt?: ReceiptDraft | undefined;
}

/** A rendered preview: the bytes of a PDF, or of a PNG when a page was requested. */
export interface Preview {
  data: Uint8Array;
  /** The number of pages of the document. */
  pages: number;
}

/**
 * Renders a document that is neither stored nor recorded and uses no quota. HTML is a template even without
 * data.
 * @throws {AppError} VALIDATION_ERROR for every fault of the document; NOT_FOUND for an unknown template;
 * RATE_LIMITED when the queue is full; INTERNAL_ERROR when the service fails; UNAVAILABLE when a dependency
 * is unavailable.
 */
export async function renderPreview(parts: PreviewParts, request: PreviewRequest): Promise<Preview> {
  const { page, options } = request;
  // A protected PDF could not be drawn.
  const { protect: _, ...others } = options ?? {};
  const applied = { applied: page === undefined ? options : others, maxPages: MAX_PREVIEW_PAGES };
  return printWithoutRecord(parts, { ...request, ...applied, subject: 'preview' }, async (pdf, pages) => {
    if (page === undefined) return { data: pdf, pages };
    if (page > pages) throw invalid('page', `must be at most ${pages}, the number of pages of the document`);
    return { data: await parts.drawPage(pdf, page - 1), pages };
  });
}

/** See `RenderService.printUnrecorded`. */
export async function printUnrecorded(
  parts: UnrecordedParts,
  request: UnrecordedRequest,
): Promise<UnrecordedPdf> {
  const { protect: _, ...applied } = request.options ?? {};
  const receipt = parts.receipts.begin();
  await noteSchema(parts, request, receipt);
  const job = { ...request, applied, isTest: false, receipt };
  return printWithoutRecord(parts, job, async (pdf, pages) => ({
    // The memory of a printed PDF is used again.
    pdf: new Uint8Array(pdf),
    pages,
    warnings: warningsOf(receipt.finish()),
  }));
}

/** Notes the differences between the data and the schema. @throws {AppError} as a print that fails */
async function noteSchema(
  { templates, log }: UnrecordedParts,
  { source, data = RawJson.of({}), schema = {}, subject }: UnrecordedRequest,
  receipt: ReceiptDraft,
): Promise<void> {
  if (!templates || Object.keys(schema).length === 0) return;
  const faults = await templates.checkData(schema, data);
  try {
    noteSchemaFaults(faults, receipt);
  } catch (error) {
    const field = 'html' in source ? 'html_content' : inputTypeOf(source);
    throw explainFailure(error, { field, subject, log });
  }
}

interface WithoutRecord extends Omit<PreviewRequest, 'page'> {
  /** The options that are applied. */
  applied: DocumentRequest['options'];
  maxPages: number;
  /** The noun for the document in errors. */
  subject: string;
}

/** Prints a document, and passes it on while its memory is reserved. */
async function printWithoutRecord<T>(
  parts: UnrecordedParts,
  {
    accountId,
    source,
    locale,
    translationsJson,
    styles,
    options,
    applied,
    isTest,
    receipt,
    maxPages,
    subject,
    ...given
  }: WithoutRecord,
  use: (pdf: Uint8Array, pages: number) => Promise<T>,
): Promise<T> {
  const field = 'html' in source ? 'html_content' : inputTypeOf(source);
  const setup = toPrintSetup(options, parts);
  await checkFormat(accountId, { source, locale, styles, options }, parts);
  // A preview of a template needs no data.
  const { data = 'html' in source ? RawJson.of({}) : undefined } = given;
  const job = {
    request: { source, data, locale, translationsJson, styles, options: applied, output: 'base64' },
    accountId,
    setup,
    isTest,
  } as const;
  const urgency = workContext.getStore()?.urgency ?? 'caller';
  const printing = printPdf(parts, { ...job, urgency, receipt });
  const printed = await printing.catch((error: unknown) => {
    throw explainFailure(error, { field, subject, log: parts.log });
  });
  try {
    const { pdf, pages } = printed;
    if (pages > maxPages)
      throw explainRenderError(
        new RenderError(
          'TOO_MANY_PAGES',
          `the document has ${pages} pages; a ${subject} has at most ${maxPages}`,
        ),
        { message: failureOf(subject), source: field },
      );
    return await use(pdf, pages);
  } finally {
    printed.release();
  }
}

const failureOf = (subject: string) => `the ${subject} could not be rendered`;

/** Returns the error for the caller. A preview has the HTML in the field `html_content`. */
function explainFailure(
  error: unknown,
  { field, subject, log }: { field: string; subject: string; log: Log },
): unknown {
  if (!(error instanceof RenderError)) return error;
  const { code, message, owner, reason, details, cause } = error;
  const failure = failureOf(subject);
  if (owner !== 'document') log.warn({ reason, err: cause }, failure);
  const path = error.path === 'html' ? field : error.path;
  return explainRenderError(new RenderError(code, message, { owner, path, details, cause }), {
    message: failure,
    source: field,
  });
}
