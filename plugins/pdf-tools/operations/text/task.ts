import {
  AnnotationText,
  extractText,
  openReadable,
  readSelection,
  repairFonts,
  toAsyncResult,
  type PdfSource,
  type Result,
  type TextFormat,
} from '@platen/pdf';

/** Extracts the text of a PDF, as JSON in the shape of the response. */
export function extract({
  pdf,
  pages: selection,
  format,
}: {
  pdf: PdfSource;
  pages: string | undefined;
  format: TextFormat;
}): Promise<Result<Uint8Array>> {
  return toAsyncResult('pdf', async () => {
    let annotations: AnnotationText | undefined;
    using document = await openReadable(pdf, 'pdf', (opened, all) => {
      annotations = new AnnotationText(all);
      return repairFonts(opened, all);
    });
    const selected = readSelection(selection, document.pageCount, 'pages');
    const pages = extractText(document, selected, format, annotations);
    return Buffer.from(JSON.stringify({ pages, total: pages.length }));
  });
}
