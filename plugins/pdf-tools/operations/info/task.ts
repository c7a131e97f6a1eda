import { forField, openInput, readInfo, toResult, type Base64Pdf, type Result } from '@platen/pdf';
import { presentInfo } from './present.ts';

/** Reads the properties of a PDF as JSON in the shape of the API's response: pages may have a hundred thousand sizes. */
export function info({ pdf }: { pdf: Base64Pdf }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const answer = presentInfo(forField('pdf', () => readInfo(document, document.sizeBytes)));
    return Buffer.from(JSON.stringify(answer));
  });
}
