import {
  forField,
  openInput,
  stampPage,
  toResult,
  type Base64Pdf,
  type Result,
  type StampRequest,
} from '@platen/pdf';

/** Adds a stamp with a prepared appearance to a page. */
export function sign({ pdf, ...request }: StampRequest & { pdf: Base64Pdf }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => stampPage(document, request));
  });
}
