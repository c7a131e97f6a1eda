import { type PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { readLines, textOf } from '../text/characters.ts';
import { enclose, type TextBox } from '../text/text-box.ts';

/** A line of text as it is laid out. */
export interface LaidOutLine {
  /** The text with single spaces, and without white space at its ends. */
  text: string;
  box: TextBox;
  /** The font of the first character; absent if it has no name. */
  font: string | undefined;
}

/** The layout of a page. */
export interface PageLayout {
  widthPt: number;
  heightPt: number;
  /** From the top to the bottom, and from the left to the right. */
  lines: readonly LaidOutLine[];
}

/** Lines whose upper edges are this close are sorted from left to right. */
const SAME_LINE_PT = 2;

/**
 * Reads the size of a page and its lines of text.
 * @param page the index of the page, from 0
 * @throws {RenderingError} if PDFium cannot read the page.
 */
export function readLayout(document: PdfiumDocument, page: number): PageLayout {
  const lines = readLines(document, page).flatMap((line): LaidOutLine[] => {
    const text = textOf(line).trim().split(/\s+/).join(' ');
    const visible = line.characters.filter((character) => character.text.trim() !== '');
    return text === '' ? [] : [{ text, box: enclose(visible.map(({ box }) => box)), font: line.font }];
  });
  return { ...document.sizeOf(page), lines: inReadingOrder(lines) };
}

/** Sorts lines by their position, because another version may write them in another order. */
function inReadingOrder(lines: readonly LaidOutLine[]): LaidOutLine[] {
  const topOf = ({ box }: LaidOutLine) => box.y + box.height;
  const rows: { top: number; lines: LaidOutLine[] }[] = [];
  for (const line of lines.toSorted((one, other) => topOf(other) - topOf(one))) {
    const row = rows.at(-1);
    if (row && row.top - topOf(line) <= SAME_LINE_PT) row.lines.push(line);
    else rows.push({ top: topOf(line), lines: [line] });
  }
  return rows.flatMap((row) => row.lines.toSorted((one, other) => one.box.x - other.box.x));
}
