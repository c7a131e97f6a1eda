import { AppError, type Sandbox } from '../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../files/exports.ts';
import { printPdf, type PrintPdfJob, type PrintPdfParts } from '../print-pdf.ts';
import { RenderError } from '../render-error.ts';

/** Draws the pages of a PDF as labels in ZPL. @throws {RenderError} if they have too many dots. */
export type WriteZpl = (labels: { pdf: Uint8Array; dpi: number; isTest: boolean }) => Promise<Uint8Array>;

/** Creates the function that draws labels in the sandbox. */
export function createZplWriter(sandbox: Sandbox): WriteZpl {
  const tasks = sandbox.load<typeof import('@platen/pdf/zpl-task')>(
    new URL(import.meta.resolve('@platen/pdf/zpl-task')),
  );
  return async (labels) =>
    unwrapTaskResult('pdf', tasks.drawZpl(labels, pdfTaskLimits)).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [{ message } = { message: error.message }] = error.details;
      throw new RenderError('RENDER_FAILED', message, { path: 'options.dpi', cause: error });
    });
}

/**
 * Prints a document as labels, one for each page, without storing them.
 * @throws {RenderError} if the document cannot be printed.
 * @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy.
 */
export async function drawLabels(
  { writeZpl, ...parts }: PrintPdfParts & { writeZpl: WriteZpl },
  { dpi, ...job }: PrintPdfJob & { dpi: number },
): Promise<{ file: Uint8Array; pages: number | null }> {
  const { pdf, pages, release } = await printPdf(parts, job);
  try {
    job.receipt?.clock.enter('assemble');
    return { file: await writeZpl({ pdf, dpi, isTest: job.isTest }), pages };
  } finally {
    release();
  }
}
