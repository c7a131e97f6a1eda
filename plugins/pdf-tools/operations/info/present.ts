import type { PdfInfo } from '@platen/pdf';
import type { Static } from '../../../../src/plugin.ts';
import type { InfoAnswer } from './schema.ts';

/** Converts the properties of a PDF to wire names. */
export function presentInfo(file: PdfInfo): Static<typeof InfoAnswer> {
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
