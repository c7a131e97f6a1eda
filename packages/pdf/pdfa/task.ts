import type { BrowserText } from '../forms/appearance/browser-text.ts';
import { UndrawnTextError } from '../forms/appearance/draw-form.ts';
import type { Result } from '../input.ts';
import { InputFault, PdfDocument, PdfError } from '../objects/index.ts';
import { readClaims } from '../validate/claims.ts';
import { claimOf, prove, type ProvenClaim } from '../validate/prove.ts';
import { facturXName, findProvableProfile } from '../validate/profiles.ts';
import { levelRules } from './levels.ts';
import { convertToPdfa, SignatureLossError, type ConversionRequest } from './convert.ts';
import { PdfaError } from './violation.ts';

/** A converted PDF, and its claims, which checks of these bytes have confirmed. */
export interface ConvertedPdf {
  pdf: Uint8Array;
  claims: ProvenClaim[];
}

/**
 * Converts a PDF to PDF/A with {@link convertToPdfa}, returning failures as results for callers in another process. The codes are
 * `INVALID_INPUT` if the file cannot be read, `SIGNED` if its signatures would be lost, and `NOT_CONFORMING`, with one detail per
 * violated clause, if it cannot be converted. Returns the texts that the browser must draw before the call is repeated with `drawn`.
 */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: Uint8Array }): Promise<Result<ConvertedPdf | { toDraw: BrowserText[] }>> {
  try {
    const { level = '1b', invoice } = request;
    const converted = await convertToPdfa(pdf, request);
    const claims = [claimOf(`pdfa-${level}`)];
    if (invoice) claims.push(...(await prove(converted, [facturXName(invoice.profile)])));
    else if (levelRules(level).attachments === 'any') claims.push(...(await confirmInvoice(converted)));
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

/** Confirms the claim of an invoice that another program has embedded. A false claim is kept in the file as it was, but not confirmed. */
async function confirmInvoice(pdf: Uint8Array): Promise<ProvenClaim[]> {
  const name = readClaims(PdfDocument.open(pdf)).find((claim) => claim.startsWith('factur-x-'));
  const profile = name === undefined ? undefined : findProvableProfile(name);
  if (name === undefined || !profile) return [];
  return (await profile.check(pdf)).length === 0 ? [claimOf(name)] : [];
}

function failure(code: string, message: string): Extract<Result<never>, { ok: false }> {
  return { ok: false, code, message, part: 'pdf' };
}
