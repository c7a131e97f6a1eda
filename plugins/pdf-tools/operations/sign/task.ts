import {
  forField,
  openInput,
  readPages,
  stampPage,
  toResult,
  type PdfSource,
  type Result,
  type StampRequest,
} from '@platen/pdf';

/** Adds a stamp with a prepared appearance to a page. */
export function sign({
  pdf,
  ...request
}: StampRequest & { pdf: PdfSource }): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: stampPage(document, request), pages };
    });
  });
}
