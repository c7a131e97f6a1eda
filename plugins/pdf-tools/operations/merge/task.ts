import {
  forField,
  mergeDocuments,
  openInput,
  readMember,
  toResult,
  type Base64Pdf,
  type Member,
  type Result,
} from '@platen/pdf';

/** Joins PDFs in order. */
export function merge({ pdfs }: { pdfs: Base64Pdf[] }): Result<Uint8Array> {
  return toResult(() => {
    const members: Member[] = [];
    let pages = 0;
    for (const [index, pdf] of pdfs.entries()) {
      const field = `pdfs[${index}]`;
      const document = openInput(pdf, field);
      const member = forField(field, () => readMember(document, index, pages));
      // The text is not needed any more, and may be as large as everything else together.
      pdfs[index] = '';
      pages += member.pages.length;
      members.push(member);
    }
    return forField('pdfs', () => mergeDocuments(members));
  });
}
