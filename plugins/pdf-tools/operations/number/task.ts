import {
  forField,
  numberPages,
  openInput,
  readPages,
  toResult,
  type PageNumbering,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** Numbers the pages of a PDF. */
export function number({
  pdf,
  numbering,
}: {
  pdf: PdfSource;
  numbering: PageNumbering;
}): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: numberPages(document, numbering), pages };
    });
  });
}
