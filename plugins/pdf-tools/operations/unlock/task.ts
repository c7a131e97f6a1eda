import {
  forField,
  openInput,
  readPages,
  toResult,
  unlockDocument,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** Removes the encryption of a PDF. */
export function unlock({
  pdf,
  password,
}: {
  pdf: PdfSource;
  password: string;
}): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf', password);
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: unlockDocument(document), pages };
    });
  });
}
