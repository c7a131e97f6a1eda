import {
  AppError,
  FilesUnavailableError,
  messageOf,
  StoreUnavailableError,
  type Collection,
  type Handlebars,
  type Log,
  type ProtectionSetting,
  type SignatureSetting,
} from '../../src/plugin.ts';
import type { TemplateSource } from '../templates/contract.ts';
import type { BatchRendering, Generation } from './contract.ts';
import { NoPageError } from './deadline.ts';
import { planGeneration } from './generations/generation.ts';
import type { MakePdf } from './make-pdf.ts';
import { toPrintSetup } from './print/print-options.ts';
import type { Receipts } from './receipt/receipts.ts';
import { RenderError, toServiceFailure } from './render-error.ts';
import { checkSource } from './source/source.ts';

/** The services that {@link createBatchRendering} uses. */
export interface BatchRenderingParts {
  generations: Collection<Generation>;
  receipts: Receipts;
  templates: TemplateSource | undefined;
  handlebars: Handlebars;
  log: Log;
  concurrency: number;
  /** The deadline of a document. */
  timeoutMs: number;
  protection: ProtectionSetting;
  signing: SignatureSetting;
  makePdf: MakePdf;
  eraseBatch: BatchRendering['eraseBatch'];
  /** True once the browsers are being stopped: from then on no failure is the fault of a document. */
  stopping: () => boolean;
}

/** Creates the part of the render service that the batch plugin uses. */
export function createBatchRendering(parts: BatchRenderingParts): BatchRendering {
  const { generations, receipts, concurrency, makePdf, eraseBatch, stopping, log } = parts;

  /** Logs the cause of a failure that the generation's `error` does not state. */
  function logCause(generation: string, error: unknown): void {
    const isKnown = error instanceof RenderError || error instanceof AppError;
    if (!isKnown) log.error({ err: error, generation }, messageOf(error));
    else if (error.cause !== undefined) log.warn({ err: error.cause, generation }, messageOf(error));
  }

  return {
    concurrency,
    generations,
    receipts,
    eraseBatch,
    plan(request) {
      toPrintSetup(request.options, parts);
      checkSource(request, parts);
      return planGeneration(request);
    },
    async make({ generationId, ...job }) {
      try {
        const setup = toPrintSetup(job.request.options);
        return { status: 'completed', ...(await makePdf({ ...job, urgency: 'batch', setup })) };
      } catch (error) {
        if (stopping() || isTransient(error)) return { status: 'interrupted', cause: error };
        logCause(generationId, error);
        return { status: 'failed', ...describeFailure(error) };
      }
    },
  };
}

/** Returns true for failures that are not the fault of the document, such as a full disk, so that a later attempt can succeed. */
function isTransient(error: unknown): boolean {
  if (error instanceof RenderError)
    return (
      error.code === 'STORAGE_ERROR' || error.owner === 'dependency' || error.cause instanceof NoPageError
    );
  if (error instanceof AppError) return error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE';
  return error instanceof StoreUnavailableError || error instanceof FilesUnavailableError;
}

function describeFailure(error: unknown): { error: string; isServiceFault: boolean } {
  const failure = toServiceFailure(error);
  if (failure instanceof RenderError)
    return { error: failure.reason, isServiceFault: failure.owner === 'service' };
  const isUnknown = error instanceof AppError && error.code === 'NOT_FOUND';
  const isTemplate = isUnknown && !error.message.startsWith('options.');
  const code = isTemplate ? 'TEMPLATE_NOT_FOUND' : 'RENDER_FAILED';
  return { error: `${code}: ${messageOf(error)}`, isServiceFault: false };
}
