import type { InvoiceFile } from '@platen/pdf-standards';
import { type Sandbox } from '../../src/plugin.ts';
import { unwrapTaskResult } from '../files/exports.ts';
import type { MadePdf } from '../files/contract.ts';
import type { PdfaLevel } from '../documents/contract.ts';
import { toDocumentFailure } from './render-error.ts';

/**
 * Converts a printed PDF to a level of PDF/A, and embeds an invoice.
 * @throws {RenderError} when it cannot be converted.
 */
export type ConvertToPdfa = (
  pdf: Uint8Array,
  level: PdfaLevel,
  invoice?: InvoiceFile,
) => Promise<Pick<MadePdf, 'pdf' | 'claims'>>;

/** At level 1b, pages with transparency are rasterised, which takes long. */
const TIMEOUT_MS = 60_000;

/** Creates the conversion, which runs in the sandbox. */
export function createPdfaConversion(sandbox: Sandbox): ConvertToPdfa {
  const tasks = sandbox.load<typeof import('@platen/pdf-standards/pdfa-task')>(
    new URL(import.meta.resolve('@platen/pdf-standards/pdfa-task')),
  );
  return async (pdf, level, invoice) => {
    const call = tasks.convert({ pdf, level, invoice }, { timeoutMs: TIMEOUT_MS });
    const converted = await unwrapTaskResult('pdf', call, TIMEOUT_MS).catch((error: unknown) => {
      throw toDocumentFailure(error);
    });
    if ('toDraw' in converted) throw new Error('a printed PDF has no form fields');
    return converted;
  };
}
