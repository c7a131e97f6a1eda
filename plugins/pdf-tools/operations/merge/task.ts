import {
  forField,
  mergeDocuments,
  openInput,
  readMergeInput,
  toResult,
  type PdfSource,
  type MergeInput,
  type Result,
} from '@platen/pdf';

/** Merges PDFs in order. */
export function merge({ pdfs }: { pdfs: PdfSource[] }): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const inputs: MergeInput[] = [];
    let pages = 0;
    for (const [index, pdf] of pdfs.entries()) {
      const field = `pdfs[${index}]`;
      const document = openInput(pdf, field);
      const input = forField(field, () => readMergeInput(document, index, pages));
      // Release the base64 text, which may be as large as everything else together.
      pdfs[index] = '';
      pages += input.pages.length;
      inputs.push(input);
    }
    return { pdf: forField('pdfs', () => mergeDocuments(inputs)), pages };
  });
}
