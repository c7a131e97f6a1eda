import type { BrowserText } from '@platen/pdf/forms';
import { UndrawnTextError } from '@platen/pdf/forms';
import type { Result } from '@platen/pdf';
import { InputFault, PdfError } from '@platen/pdf/objects';
import { claimOf, confirm, prove, type ProvenClaim } from '../validate/prove.ts';
import { facturXName } from '../validate/profiles.ts';
import { levelRules } from '../levels.ts';
import { convertToPdfa, SignatureLossError, type ConversionRequest } from './convert.ts';
import { PdfaError } from '../violation.ts';

/** A converted PDF. */
export interface ConvertedPdf {
  pdf: Uint8Array;
  /** The claims of the PDF that a check of its bytes has confirmed. */
  claims: ProvenClaim[];
}

/**
 * Converts a PDF to PDF/A with {@link convertToPdfa}. Returns a failure as a value, because an exception does
 * not cross the process boundary. Its code is `INVALID_INPUT` if the file cannot be read, `SIGNED` if its
 * signatures would be lost, or `NOT_CONFORMING`, with a detail for each violation, if it cannot be converted.
 * If a browser must draw texts first, returns them; the caller repeats the call with `drawn`.
 */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: Uint8Array }): Promise<Result<ConvertedPdf | { toDraw: BrowserText[] }>> {
  try {
    const { level = '1b', invoice } = request;
    const converted = await convertToPdfa(pdf, request);
    const claims = [claimOf(`pdfa-${level}`)];
    if (invoice && !invoice.isUnchecked)
      claims.push(...(await prove(converted, [facturXName(invoice.profile)])));
    const isKept = (name: string) => name === 'pdfua-1' || (!invoice && isInvoice(name));
    claims.push(...(await confirm(converted, isKept)));
    return { ok: true, value: { pdf: converted, claims } };
  } catch (error) {
    if (error instanceof UndrawnTextError) return { ok: true, value: { toDraw: error.toDraw } };
    if (error instanceof PdfError || error instanceof InputFault)
      return failure('INVALID_INPUT', error.message);
    if (error instanceof SignatureLossError) return failure('SIGNED', error.message);
    if (!(error instanceof PdfaError)) throw error;
    const details = error.violations.map(({ clause, message }) => `${clause}: ${message}`);
    const [first] = error.violations;
    const { title, standard } = levelRules(request.level ?? '1b');
    const reason = first ? `: ${first.message} (${standard}, ${first.clause})` : '';
    return { ...failure('NOT_CONFORMING', `cannot be converted to ${title}${reason}`), details };
  }
}

function isInvoice(claim: string): boolean {
  return claim.startsWith('factur-x-');
}

function failure(code: string, message: string): Extract<Result<never>, { ok: false }> {
  return { ok: false, code, message, part: 'pdf' };
}
