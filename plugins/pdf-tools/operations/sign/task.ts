import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import { stampPage, type PdfSource, type Result, type StampRequest } from '@platen/pdf';

/** Adds a stamp with a prepared appearance to a page. */
export function sign({ pdf, ...request }: StampRequest & { pdf: PdfSource }): Result<ChangedPdf> {
  return changeInput(pdf, (document) => stampPage(document, request));
}
