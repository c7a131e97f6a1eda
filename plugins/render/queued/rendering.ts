import {
  AppError,
  FilesUnavailableError,
  messageOf,
  StoreUnavailableError,
  type Log,
} from '../../../src/plugin.ts';
import type { ProtectionSetting, SignatureSetting } from '../../documents/contract.ts';
import type { DocumentRequest, PlannedInput, StoredPdf } from '../contract.ts';
import { BrowserTimeoutError, NoPageError } from '../deadline.ts';
import { planGeneration } from '../generations/generation.ts';
import type { MakePdf } from '../make-pdf.ts';
import { toImageSetup, toPageSetup } from '../image/image-setup.ts';
import { toPrintSetup, type PrintLimits } from '../print/print-options.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import { RenderError, toServiceFailure } from '../render-error.ts';
import { checkFormat, type FormatParts } from '../office/check-request.ts';
import { checkSource, withTemplateId } from '../source/source.ts';

/** A queued generation to make. */
export interface QueuedJob {
  generationId: string;
  accountId: string;
  /** Whether the PDF is marked as one made for tests. */
  isTest: boolean;
  request: DocumentRequest;
  /** The id under which the PDF is stored. */
  fileId: string;
  receipt: ReceiptDraft | undefined;
}

/**
 * The result of {@link QueuedRendering.make}. `interrupted` means that the document is not at fault: a later
 * call can succeed. It is returned when the store, the file store or the browser is unavailable, and while
 * this process stops. `failed` with `isServiceFault` means that the service failed, for example because the
 * browser crashed. A later call can succeed, unless the document causes the failure.
 */
export type QueuedJobResult =
  | ({ status: 'completed' } & StoredPdf)
  | { status: 'failed'; error: string; isServiceFault: boolean }
  | { status: 'interrupted'; cause: unknown };

/** Validates the requests of queued generations, and makes their PDFs. */
export interface QueuedRendering {
  /** Does what `QueuedGenerations.plan` does, except that it does not limit the size of the request. */
  plan(accountId: string, request: DocumentRequest): Promise<PlannedInput>;
  /** Makes a PDF and stores it. Does not change the generation. Never rejects. */
  make(job: QueuedJob): Promise<QueuedJobResult>;
}

/** The services that {@link createQueuedRendering} uses. */
export interface QueuedRenderingParts extends FormatParts, Pick<PrintLimits, 'hasEarlierBrowser'> {
  log: Log;
  /** The deadline of a document. */
  timeoutMs: number;
  protection: ProtectionSetting;
  signing: SignatureSetting;
  makePdf: MakePdf;
  /** True once the browsers are being stopped: from then on no failure is the fault of a document. */
  stopping: () => boolean;
}

export function createQueuedRendering(parts: QueuedRenderingParts): QueuedRendering {
  const { makePdf, stopping, log } = parts;

  /** Logs the cause of a failure that the generation's `error` does not state. */
  function logCause(generation: string, error: unknown): void {
    const isKnown = error instanceof RenderError || error instanceof AppError;
    if (!isKnown) log.error({ err: error, generation }, messageOf(error));
    else if (error.cause !== undefined) log.warn({ err: error.cause, generation }, messageOf(error));
  }

  return {
    async plan(accountId, given) {
      toSetup(given, parts);
      checkSource(given, parts);
      const request = await withTemplateId(accountId, given, parts);
      await checkFormat(accountId, { ...request, isTest: request.properties?.test }, parts);
      return { planned: planGeneration(request), request };
    },
    async make(job) {
      try {
        const setup = toSetup(job.request);
        return { status: 'completed', ...(await makePdf({ ...job, urgency: 'batch', ...setup })) };
      } catch (error) {
        if (stopping() || isTransient(error)) return { status: 'interrupted', cause: error };
        logCause(job.generationId, error);
        return { status: 'failed', ...describeFailure(error) };
      }
    },
  };
}

/**
 * Returns true for failures that are not the fault of the document, such as a full disk, so that a later
 * attempt can succeed. Attempts are counted for a page without processor time and for a browser that did not
 * respond, because each of them took the whole deadline.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof RenderError)
    return (
      error.code === 'STORAGE_ERROR' ||
      error.cause instanceof NoPageError ||
      (error.owner === 'dependency' && !(error.cause instanceof BrowserTimeoutError))
    );
  if (error instanceof AppError) return error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE';
  return error instanceof StoreUnavailableError || error instanceof FilesUnavailableError;
}

function describeFailure(error: unknown): { error: string; isServiceFault: boolean } {
  const failure = toServiceFailure(error);
  if (failure instanceof RenderError)
    return { error: failure.reason, isServiceFault: failure.owner !== 'document' };
  const isUnknown = error instanceof AppError && error.code === 'NOT_FOUND';
  const isTemplate = isUnknown && !error.message.startsWith('options.');
  const code = isTemplate ? 'TEMPLATE_NOT_FOUND' : 'RENDER_FAILED';
  return { error: `${code}: ${messageOf(error)}`, isServiceFault: false };
}

/** @throws {AppError} VALIDATION_ERROR */
function toSetup({ image, options }: DocumentRequest, limits?: PrintLimits) {
  return image
    ? { setup: toPageSetup(image, limits), image: toImageSetup(image) }
    : { setup: toPrintSetup(options, limits) };
}
