import {
  addAttachments,
  extractAttachments,
  forField,
  listAttachments,
  openInput,
  removeAttachments,
  toResult,
  type Attachment,
  type NewAttachment,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { changeInput, type ChangedPdf } from '@platen/pdf-standards';

/**
 * Lists the attachments of a PDF, or returns the attachments in `extract` with their content, as JSON in the
 * shape of the response.
 */
export function read({
  pdf,
  extract,
}: {
  pdf: PdfSource;
  extract: readonly string[] | undefined;
}): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const attachments = forField('pdf', () =>
      extract
        ? extractAttachments(document, extract, 'extract').map(({ data, ...attachment }) => ({
            ...present(attachment),
            data: Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64'),
          }))
        : listAttachments(document).map(present),
    );
    return Buffer.from(JSON.stringify({ attachments }));
  });
}

/** Adds or removes attachments. */
export function write({
  pdf,
  add,
  remove = [],
}: {
  pdf: PdfSource;
  add: readonly NewAttachment[] | undefined;
  remove: readonly string[] | undefined;
}): Result<ChangedPdf> {
  return changeInput(pdf, (document) =>
    add
      ? addAttachments(document, add, { field: 'add', now: Date.now() })
      : removeAttachments(document, remove, 'remove'),
  );
}

function present(attachment: Attachment) {
  const { name, fileName, sizeBytes, mimeType, description, relationship, modifiedAt } = attachment;
  return {
    name,
    file_name: fileName,
    size: sizeBytes,
    mime_type: mimeType,
    description,
    relationship,
    modified_at: modifiedAt,
  };
}
