import {
  forField,
  openInput,
  stampPage,
  toResult,
  type PdfSource,
  type Result,
  type StampRequest,
} from '@platen/pdf';

/** Adds a stamp with a prepared appearance to a page. */
export function sign({ pdf, ...request }: StampRequest & { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => stampPage(document, request));
  });
}
