import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import {
  forField,
  openInput,
  readInfoEntries,
  readProperties,
  setProperties,
  toResult,
  type PdfSource,
  type PropertyChanges,
  type Result,
} from '@platen/pdf';

/**
 * Reads the properties of a PDF. Returns JSON in the shape of the response, because the properties can be as
 * long as the file.
 */
export function read({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const { creationDate, modificationDate, ...texts } = forField('pdf', () => readProperties(document));
    const properties = {
      ...texts,
      creation_date: creationDate,
      modification_date: modificationDate,
      info: readInfoEntries(document),
    };
    return Buffer.from(JSON.stringify({ properties }));
  });
}

export function write({ pdf, set }: { pdf: PdfSource; set: PropertyChanges }): Result<ChangedPdf> {
  return changeInput(pdf, (document) => setProperties(document, set, Date.now()));
}
