import {
  arrangePages,
  forField,
  listOtherPages,
  openInput,
  readPageList,
  readSplitSource,
  toResult,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { type ChangedPdf } from '@platen/pdf-standards';

/** The pages of a result: a list, or a selection to delete. */
export interface PageChoice {
  pages: string | undefined;
  deleted: string | undefined;
}

/** Writes a PDF with some of its pages, in any order. */
export function arrange({ pdf, pages, deleted }: { pdf: PdfSource } & PageChoice): Result<ChangedPdf> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const source = readSplitSource(document);
      const count = source.pages.length;
      const placed =
        pages === undefined
          ? listOtherPages(deleted ?? '', count, 'delete')
          : readPageList(pages, count, 'pages');
      return { pdf: arrangePages(source, placed), pages: placed.length };
    });
  });
}
