import { FilesUnavailableError, type FileStore, type Handlebars, type Urgency } from '../../src/plugin.ts';
import type { TemplateSource } from '../templates/contract.ts';
import type { DocumentRequest, StoredPdf } from './contract.ts';
import type { AssemblePdf } from './assembly.ts';
import { drawMark } from './finish/draw-mark.ts';
import type { ConvertMarkdown } from './markdown/markdown.ts';
import type { ConvertToPdfa } from './pdfa.ts';
import type { PrintSetup } from './print/print-options.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { RenderError } from './render-error.ts';
import type { Printed, Renderer } from './renderer.ts';
import { resolveSource } from './source/source.ts';

/** The services that {@link makePdf} uses. */
export interface PdfParts {
  renderer: Renderer;
  assemblePdf: AssemblePdf;
  convertToPdfa: ConvertToPdfa;
  templates: TemplateSource | undefined;
  handlebars: Handlebars;
  convertMarkdown: ConvertMarkdown;
  files: FileStore;
}

/** A PDF to make. */
export interface PdfJob {
  request: DocumentRequest;
  accountId: string;
  urgency: Urgency;
  setup: PrintSetup;
  /** The id under which the PDF is stored. */
  fileId: string;
  /** Records how the PDF was made; `undefined` when receipts are off. */
  receipt: ReceiptDraft | undefined;
}

/** Makes a PDF and stores it; {@link makePdf} with its services. */
export type MakePdf = (job: PdfJob) => Promise<StoredPdf>;

/**
 * Makes a PDF and stores it. Callers and batches share this function.
 * @throws {RenderError} when there is no PDF. @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy.
 */
export async function makePdf(parts: PdfParts, job: PdfJob): Promise<StoredPdf> {
  const { fileId, receipt } = job;
  const { pdf, pages, release } = await printPdf(parts, job);
  try {
    receipt?.clock.enter('store');
    const sizeBytes = await parts.files.put(fileId, pdf).catch((error: unknown) => {
      const isAway = error instanceof FilesUnavailableError;
      const message = isAway ? 'the file store cannot be reached' : 'the PDF could not be stored';
      throw new RenderError('STORAGE_ERROR', message, {
        owner: isAway ? 'dependency' : 'service',
        cause: error,
      });
    });
    return { fileId, pages, sizeBytes };
  } finally {
    release();
  }
}

/** Makes a PDF without storing it. Call `release` when the PDF is no longer needed. @throws like {@link makePdf}. */
export async function printPdf(
  parts: Omit<PdfParts, 'files'>,
  { request, accountId, urgency, receipt, ...job }: Omit<PdfJob, 'fileId'>,
): Promise<Pick<Printed, 'pdf' | 'pages' | 'release'>> {
  const { renderer, assemblePdf, convertToPdfa } = parts;
  const { pdfa, outline: untag = false, watermark: mark, attachments, properties } = request.options ?? {};

  receipt?.clock.enter('template');
  const noteMismatches: Parameters<typeof resolveSource>[2] = (faults) => receipt?.noteMismatches(faults);
  const { document, ...headersAndFooters } = await resolveSource(
    { ...request, accountId },
    parts,
    noteMismatches,
  );

  receipt?.clock.enter('queue');
  const setup = { ...job.setup, ...headersAndFooters };
  const printed = await renderer.print({ accountId, urgency, document, setup, receipt });
  const { pages, release, overlays, order } = printed;
  let { pdf } = printed;
  try {
    if (overlays.length > 0 || order || untag || mark || attachments || properties) {
      const watermark = mark && (await drawMark(renderer, { watermark: mark, accountId, urgency }));
      receipt?.clock.enter('assemble');
      pdf = await assemblePdf({ pdf, overlays, order, untag, watermark, attachments, properties });
    }
    if (pdfa === true) {
      receipt?.clock.enter('archive');
      pdf = await convertToPdfa(pdf);
    }
    return { pdf, pages, release };
  } catch (error) {
    release();
    throw error;
  }
}
