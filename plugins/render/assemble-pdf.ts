import { AppError, type Sandbox } from '../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../files/exports.ts';
import type { MarkSetup, GenerateOptions } from '../documents/contract.ts';
import { RenderError } from './render-error.ts';

/** Pages to draw over those of a document. */
export interface Overlay {
  pdf: Uint8Array;
  /** The zero-based index of the page that gets the first page of the overlay. */
  firstPage: number;
}

/** How to complete a printed PDF. */
export interface PdfAssembly {
  pdf: Uint8Array;
  overlays?: readonly Overlay[] | undefined;
  order?: readonly number[] | undefined;
  /** Whether to remove the structure tree. */
  untag?: boolean | undefined;
  watermark?:
    | (MarkSetup & {
        /** Precedes the names of fields in errors. */
        path: string;
        source: { pdf: { raw: Uint8Array } | string; area: 'link' | 'pages'; field: string };
      })
    | undefined;
  attachments?: GenerateOptions['attachments'];
  properties?: GenerateOptions['properties'];
  protect?: GenerateOptions['protect'];
  /** Whether links mark the places of signature fields. */
  signatureFields?: boolean;
}

const PATHS = {
  attachments: 'options.attachments',
  ownerPassword: 'options.protect.ownerPassword',
  userPassword: 'options.protect.userPassword',
};

/**
 * Draws overlays on the pages of a printed PDF, changes their order, and applies the options for the finished
 * PDF.
 */
export type AssemblePdf = (request: PdfAssembly) => Promise<Buffer>;

/** Creates the function that assembles PDFs in the sandbox. */
export function createPdfAssembly(sandbox: Sandbox): AssemblePdf {
  const tasks = sandbox.load<typeof import('@platen/pdf/assemble-task')>(
    new URL(import.meta.resolve('@platen/pdf/assemble-task')),
  );
  return async (request) => {
    const call = tasks.assemble({ ...request, paths: PATHS }, pdfTaskLimits);
    const pdf = await unwrapTaskResult('pdf', call).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [{ path, message } = { path: 'pdf', message: error.message }] = error.details;
      const field = path.startsWith('options.') ? { path } : {};
      throw new RenderError('RENDER_FAILED', message, { ...field, cause: error });
    });
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  };
}
