import { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';
import { readPages } from './page-tree.ts';

/**
 * Opens a PDF that was written, and returns it unchanged. A file that does not open with its own
 * cross-reference sections, or that needs another password than the file that was changed, is not a result:
 * the caller would replace a readable file with it. Reads the cross-reference sections and the page tree
 * only.
 * @throws {PdfError} `damaged` if the file does not open.
 */
export function requireReadable(pdf: Buffer, password?: string): Buffer {
  const { repaired } = openWritten(pdf, password);
  if (repaired) throw unreadable();
  return pdf;
}

function openWritten(pdf: Buffer, password: string | undefined): PdfDocument {
  try {
    const document = PdfDocument.open(pdf, password);
    readPages(document);
    return document;
  } catch (error) {
    if (error instanceof PdfError && error.fault !== 'too-complex') throw unreadable();
    throw error;
  }
}

function unreadable(): PdfError {
  return new PdfError(
    'damaged',
    'is damaged or encrypted in such a way that the changed file would not open',
  );
}
