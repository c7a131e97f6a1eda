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
import { type ChangedPdf } from '@platen/pdf-standards';

export interface CompressedPdf extends ChangedPdf {
  originalSize: number;
}

/** The size of a file that is written again varies by a few bytes, because its identifier is random. */
const MIN_SAVED_BYTES = 100;

/** Compresses a PDF. Returns the file unchanged if the result would not be smaller by at least 100 bytes. */
export function compress({
  pdf,
  ...request
}: CompressionRequest & { pdf: PdfSource }): Promise<Result<CompressedPdf>> {
  return toAsyncResult('pdf', async () => {
    const bytes = decodeInput(pdf, 'pdf');
    const document = forField('pdf', () => PdfDocument.open(bytes));
    const pages = forField('pdf', () => readPages(document).pages.length);
    const compressed = await compressDocument(document, request);
    const smaller = compressed.length <= bytes.length - MIN_SAVED_BYTES ? compressed : bytes;
    return { pdf: smaller, pages, originalSize: bytes.length };
  });
}
