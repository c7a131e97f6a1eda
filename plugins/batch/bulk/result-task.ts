import { forField, mergeDocuments, openInput, readMergeInput, toResult, type Result } from '@platen/pdf';

/** A document of a batch: the bytes of its PDF, or its path, and its title in the outline. */
export interface MergedItem {
  pdf: Uint8Array | { path: string };
  title: string;
}

/** Merges the documents of a batch. Each gets an item in the outline, above its own outline. */
export async function mergeItems({ items }: { items: MergedItem[] }): Promise<Result<Uint8Array>> {
  const read = await Promise.all(
    items.map(async ({ pdf, title }) => ({
      title,
      bytes: pdf instanceof Uint8Array ? pdf : await Bun.file(pdf.path).bytes(),
    })),
  );
  return toResult(() => {
    let pages = 0;
    const inputs = read.map(({ title, bytes }, index) => {
      const document = openInput({ raw: bytes }, title);
      const input = forField(title, () => readMergeInput(document, index, pages));
      pages += input.pages.length;
      return { ...input, heading: title };
    });
    return forField('result', () => mergeDocuments(inputs, { everyHeading: true }));
  });
}
