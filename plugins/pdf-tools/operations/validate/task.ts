import { decodeInput, toAsyncResult, type PdfSource, type Result } from '@platen/pdf';
import { validateProfiles } from '@platen/pdf-standards';

/** Checks the profiles of a PDF, as JSON in the shape of the response. */
export async function validate({
  pdf,
  profile,
}: {
  pdf: PdfSource;
  profile: string | undefined;
}): Promise<Result<Uint8Array>> {
  return toAsyncResult('pdf', async () =>
    Buffer.from(JSON.stringify(await validateProfiles(decodeInput(pdf, 'pdf'), profile))),
  );
}
