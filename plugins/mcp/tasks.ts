import { findBlankPages, forField, openInput, readFontNames, toResult } from '@platen/pdf';
import type { PdfSource, Result } from '@platen/pdf';

/** Facts about the layout of a PDF, from its structure. */
export interface Layout {
  /** The numbers of the pages, from 1, on which nothing is drawn. */
  blankPages: number[];
  /** The PostScript names of the fonts. */
  fonts: string[];
}

/** Reads the blank pages and the fonts of a PDF. */
export function readLayout({ pdf }: { pdf: PdfSource }): Result<Layout> {
  return toResult(() => {
    const document = openInput(pdf, 'id');
    return forField('id', () => ({
      blankPages: findBlankPages(document),
      fonts: readFontNames(document),
    }));
  });
}
