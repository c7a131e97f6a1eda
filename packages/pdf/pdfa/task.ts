import type { Result } from '../input.ts';
import { PdfError } from '../objects/index.ts';
import { convertToPdfa, SignatureLossError, type ConversionRequest } from './convert.ts';
import { PdfaError } from './violation.ts';

/**
 * Converts a PDF to PDF/A-1b with {@link convertToPdfa}, returning failures as results for callers in another process. The codes are
 * `INVALID_INPUT` if the file cannot be read, `SIGNED` if its signatures would be lost, and `NOT_CONFORMING`, with one detail per
 * violated clause, if it cannot be converted.
 */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: Uint8Array }): Promise<Result<Uint8Array>> {
  try {
    return { ok: true, value: await convertToPdfa(pdf, request) };
  } catch (error) {
    if (error instanceof PdfError) return failure('INVALID_INPUT', error.message);
    if (error instanceof SignatureLossError) return failure('SIGNED', error.message);
    if (!(error instanceof PdfaError)) throw error;
    const details = error.violations.map(({ clause, message }) => `${clause}: ${message}`);
    const [first] = error.violations;
    const reason = first ? `: ${first.message} (ISO 19005-1, ${first.clause})` : '';
    return { ...failure('NOT_CONFORMING', `cannot be converted to PDF/A-1b${reason}`), details };
  }
}

function failure(code: string, message: string): Extract<Result<never>, { ok: false }> {
  return { ok: false, code, message, part: 'pdf' };
}
