import type { Static } from '../../src/plugin.ts';
import type { PdfInfo } from './contract.ts';
import type { InfoAnswer } from './schemas.ts';

/** What is known about a PDF, as SPEC 2 names it, and what goes beyond. */
export function presentInfo(info: PdfInfo): Static<typeof InfoAnswer> {
  return {
    pages: info.pages,
    title: info.title,
    author: info.author,
    subject: info.subject,
    creator: info.creator,
    producer: info.producer,
    creation_date: info.creationDate,
    modification_date: info.modificationDate,
    file_size: info.sizeBytes,
    encrypted: info.encrypted,
    pdf_version: info.version,
    page_sizes: info.pageSizes,
    has_form: info.hasForm,
    has_signatures: info.hasSignatures,
    tagged: info.tagged,
    pdfa: info.pdfa,
  };
}
