import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import {
  forField,
  openInput,
  readOutlineEntries,
  setOutline,
  toResult,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** Reads the outline of a PDF, as JSON in the shape of the response. */
export function read({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const outline = forField('pdf', () => readOutlineEntries(document));
    return Buffer.from(JSON.stringify({ outline }));
  });
}

export function write({ pdf, set }: { pdf: PdfSource; set: unknown }): Result<ChangedPdf> {
  return changeInput(pdf, (document) => setOutline(document, set, 'set'));
}
