import type { Static } from '../../src/plugin.ts';
import type { PdfInfo, PdfToolsService, ResultFile } from './contract.ts';
import type { FileAnswer, InfoAnswer } from './schemas.ts';

/** A PDF that an operation made: a link, or the file in base64. */
export async function presentFile(
  file: ResultFile,
  tools: PdfToolsService,
): Promise<Static<typeof FileAnswer>> {
  const { sizeBytes } = file;
  if ('bytes' in file) return { data: file.bytes, file_size: sizeBytes };
  return { url: await tools.link(file.fileId), file_size: sizeBytes };
}

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
