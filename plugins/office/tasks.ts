import { forField, PdfDocument, readPages } from '@platen/pdf';
import type { TaskResult } from '../../src/plugin.ts';
import {
  DocumentFault,
  inspectDocument,
  type InspectedDocument,
  type UnknownDocument,
} from './document/inspect.ts';
import { showFirstCells } from './document/first-cells.ts';
import { relativeLinks } from './document/local-links.ts';

// The functions in this file run in the sandbox.

/** Determines the type of a document. A failure names the field in `part`. */
export function inspect(document: UnknownDocument): TaskResult<InspectedDocument> {
  try {
    return { ok: true, value: inspectDocument(document) };
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: error.field };
  }
}

/** Scrolls the sheets of a workbook to their first cells; see `showFirstCells`. */
export function scrollToFirstCells({ workbook }: { workbook: Uint8Array }): Uint8Array | undefined {
  return showFirstCells(workbook);
}

/** A converted PDF; its bytes only if they had to change. */
export interface FinishedPdf {
  pages: number;
  changed: Uint8Array | undefined;
}

/** Counts the pages of a converted PDF, and makes the links relative that were so in the document. */
export function finish({
  pdf,
  folder,
  root,
}: {
  pdf: Uint8Array;
  folder: string;
  root: string;
}): FinishedPdf {
  const document = forField('file', () => PdfDocument.open(pdf));
  const { pages } = readPages(document);
  return { pages: pages.length, changed: relativeLinks(document, pages, { folder, root }) };
}
