import {
  forField,
  openInput,
  type PdfInfo,
  type PdfSource,
  readInfo,
  type Result,
  toResult,
} from '@platen/pdf';
import type { Static } from '../../../../src/plugin.ts';
import type { InfoResponse } from './schema.ts';

/**
 * Reads the properties of a PDF. Returns JSON in the shape of the response, because each page may have a
 * different size.
 */
export function info({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const answer = presentInfo(forField('pdf', () => readInfo(document, document.sizeBytes)));
    return Buffer.from(JSON.stringify(answer));
  });
}

/** Converts the properties of a PDF to wire names. */
function presentInfo(file: PdfInfo): Static<typeof InfoResponse> {
  return {
    pages: file.pages,
    title: file.title,
    author: file.author,
    subject: file.subject,
    creator: file.creator,
    producer: file.producer,
    creation_date: file.creationDate,
    modification_date: file.modificationDate,
    file_size: file.sizeBytes,
    encrypted: file.encrypted,
    pdf_version: file.version,
    page_sizes: file.pageSizes,
    has_form: file.hasForm,
    has_signatures: file.hasSignatures,
    tagged: file.tagged,
    pdfa: file.pdfa,
  };
}
