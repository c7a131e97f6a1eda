import {
  forField,
  openInput,
  readInfo,
  toResult,
  type Base64Pdf,
  type PdfInfo,
  type Result,
} from '@platen/pdf';

/** Reads the properties of a PDF. */
export function info({ pdf }: { pdf: Base64Pdf }): Result<PdfInfo> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => readInfo(document, document.sizeBytes));
  });
}
