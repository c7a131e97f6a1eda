import type { Result } from '../input.ts';
import { PdfError } from '../objects/index.ts';
import { convertToPdfa, SignatureLoss, type ConversionRequest } from './convert.ts';
import { PdfaError } from './violation.ts';

/**
 * Converts a PDF to PDF/A-1b, as {@link convertToPdfa} does, for callers in another process: failures are results. Their codes are
 * `INVALID_INPUT` for a file that cannot be read, `SIGNED` for one whose signatures would be lost, and `NOT_CONFORMING`, with a detail for
 * each clause, for one that cannot be converted.
 */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: Uint8Array }): Promise<Result<Uint8Array>> {
  try {
    return { ok: true, value: await convertToPdfa(pdf, request) };
  } catch (error) {
    if (error instanceof PdfError) return failure('INVALID_INPUT', error.message);
    if (error instanceof SignatureLoss) return failure('SIGNED', error.message);
    if (!(error instanceof PdfaError)) throw error;
    const details = error.violations.map(({ clause, message }) => `${clause}: ${message}`);
    return { ...failure('NOT_CONFORMING', `cannot be made PDF/A-1b: ${details[0] ?? ''}`), details };
  }
}

function failure(code: string, message: string): Extract<Result<never>, { ok: false }> {
  return { ok: false, code, message, part: 'pdf' };
}
