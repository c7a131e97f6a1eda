import { invalid, RawJson, type Log } from '../../../src/plugin.ts';
import type { ProtectionSetting } from '../../documents/contract.ts';
import type { DocumentRequest } from '../contract.ts';
import { printPdf, type PdfParts } from '../make-pdf.ts';
import { inputTypeOf } from '../generations/generation.ts';
import { checkFormat, type FormatParts } from '../office/check-request.ts';
import type { DrawPage } from './page-image.ts';
import { toPrintSetup } from '../print/print-options.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import type { Receipts } from '../receipt/receipts.ts';
import { explainRenderError, RenderError } from '../render-error.ts';

/** The maximum number of pages of a preview. */
export const MAX_PREVIEW_PAGES = 20;

/** The services that {@link renderPreview} uses. */
export interface PreviewParts extends PdfParts, FormatParts {
  drawPage: DrawPage;
  receipts: Pick<Receipts, 'begin' | 'isOn'>;
  /** The deadline of a document. */
  timeoutMs: number;
  protection: ProtectionSetting;
  log: Log;
}

export interface PreviewRequest extends Pick<DocumentRequest, 'source' | 'data' | 'styles' | 'options'> {
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
  const { accountId, page, source, styles, options, isTest, receipt } = request;
  const field = 'html' in source ? 'html_content' : inputTypeOf(source);
  const setup = toPrintSetup(options, parts);
  await checkFormat(accountId, { source, styles, options }, parts);
  // A preview of a template needs no data.
  const { data = 'html' in source ? RawJson.of({}) : undefined } = request;
  // A protected PDF could not be drawn.
  const { protect: _, ...others } = options ?? {};
  const applied = page === undefined ? options : others;
  const job = {
    request: { source, data, styles, options: applied, output: 'base64' },
    accountId,
    setup,
    isTest,
  } as const;
  const printing = printPdf(parts, { ...job, urgency: 'caller', receipt });
  const printed = await printing.catch((error: unknown) => {
    throw explainFailure(error, field, parts.log);
  });
  try {
    const { pdf, pages } = printed;
    if (pages > MAX_PREVIEW_PAGES)
      throw explainRenderError(
        new RenderError(
          'TOO_MANY_PAGES',
          `the document has ${pages} pages; a preview has at most ${MAX_PREVIEW_PAGES}`,
        ),
        { message: FAILED, source: field },
      );
    if (page === undefined) return { data: pdf, pages };
    if (page > pages) throw invalid('page', `must be at most ${pages}, the number of pages of the document`);
    return { data: await parts.drawPage(pdf, page - 1), pages };
  } finally {
    printed.release();
  }
}

const FAILED = 'the preview could not be rendered';

/** Returns the error for the caller. A preview has the HTML in the field `html_content`. */
function explainFailure(error: unknown, field: string, log: Log): unknown {
  if (!(error instanceof RenderError)) return error;
  const { code, message, owner, reason, details, cause } = error;
  if (owner !== 'document') log.warn({ reason, err: cause }, FAILED);
  const path = error.path === 'html' ? field : error.path;
  return explainRenderError(new RenderError(code, message, { owner, path, details, cause }), {
    message: FAILED,
    source: field,
  });
}
