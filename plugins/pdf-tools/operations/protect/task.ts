import {
  forField,
  openInput,
  protectDocument,
  readPages,
  toResult,
  type PdfSource,
  type ProtectionRequest,
  type Result,
} from '@platen/pdf';

/** Encrypts a PDF. */
export function protect({
  pdf,
  protection,
}: {
  pdf: PdfSource;
  protection: ProtectionRequest;
}): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      const fields = { ownerPassword: 'owner_password', userPassword: 'user_password' };
      return { pdf: protectDocument(document, protection, fields), pages };
    });
  });
}
