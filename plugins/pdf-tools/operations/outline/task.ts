import {
  forField,
  openInput,
  readOutlineEntries,
  readPages,
  setOutline,
  toResult,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** Reads the outline of a PDF, as JSON in the shape of the response. */
export function read({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    const outline = forField('pdf', () => readOutlineEntries(document));
    return Buffer.from(JSON.stringify({ outline }));
  });
}

/** Replaces the outline of a PDF. */
export function write({
  pdf,
  set,
}: {
  pdf: PdfSource;
  set: unknown;
}): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: setOutline(document, set, 'set'), pages };
    });
  });
}
