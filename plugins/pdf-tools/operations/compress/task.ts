import {
  compressDocument,
  decodeInput,
  forField,
  PdfDocument,
  readPages,
  toAsyncResult,
  type CompressionRequest,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** A compressed PDF. */
export interface CompressedPdf {
  pdf: Uint8Array;
  pages: number;
  originalSize: number;
}

/** Compresses a PDF. Returns the file unchanged if the result would not be smaller. */
export function compress({
  pdf,
  ...request
}: CompressionRequest & { pdf: PdfSource }): Promise<Result<CompressedPdf>> {
  return toAsyncResult('pdf', async () => {
    const bytes = decodeInput(pdf, 'pdf');
    const document = forField('pdf', () => PdfDocument.open(bytes));
    const pages = forField('pdf', () => readPages(document).pages.length);
    const compressed = await compressDocument(document, request);
    const smaller = compressed.length < bytes.length ? compressed : bytes;
    return { pdf: smaller, pages, originalSize: bytes.length };
  });
}
