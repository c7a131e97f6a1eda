import { decodeInput, forField, toResult, validateProfiles, type PdfSource, type Result } from '@platen/pdf';

/** Checks the profiles of a PDF, as JSON in the shape of the response. */
export function validate({
  pdf,
  profile,
}: {
  pdf: PdfSource;
  profile: string | undefined;
}): Result<Uint8Array> {
  return toResult(() => {
    const bytes = decodeInput(pdf, 'pdf');
    return Buffer.from(JSON.stringify(forField('pdf', () => validateProfiles(bytes, profile))));
  });
}
