import { InputFault } from '../objects/index.ts';
import type { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { AnnotationText } from './annotation-text.ts';
import { readLines, readText, textOf } from './characters.ts';
import { markdownLines, writeMarkdown, type MarkdownLines } from './markdown.ts';
import { wordsOf, type Word } from './words.ts';

/** The format of extracted text. `json` adds the boxes of words. */
export type TextFormat = 'plain' | 'markdown' | 'json';

/** The text of a page. */
export interface PageText {
  /** The number of the page, from 1. */
  page: number;
  text: string;
  /**
   * The words, in the format `json` only. Their boxes are in points from the lower left corner of the page as
   * it is displayed.
   */
  words?: Word[];
}

/** The maximum size of the text of all pages together, in characters of JSON. */
const MAX_CHARACTERS = 64_000_000;
/** The number of characters that JSON adds to the text of a word. */
const WORD_OVERHEAD = 60;

/**
 * Extracts the text of pages in the order of their content, with the text of annotations and form fields.
 * @param pages the indexes of the pages, from 0
 * @param annotations the text of annotations that PDFium does not draw
 * @throws {InputFault} for `pages` if the text is too long.
 * @throws {RenderingError} if PDFium cannot read a page.
 */
export function extractText(
  document: PdfiumDocument,
  pages: readonly number[],
  format: TextFormat,
  annotations: AnnotationText = new AnnotationText([]),
): PageText[] {
  const linesOf = (page: number) => [...readLines(document, page), ...annotations.linesOf(page)];
  let size = 0;
  const count = (characters: number) => {
    size += characters;
    if (size > MAX_CHARACTERS)
      throw new InputFault('pages', `have more than ${MAX_CHARACTERS} characters; send fewer pages`);
  };
  if (format === 'markdown') {
    const lines: MarkdownLines[] = [];
    for (const page of pages) {
      const ofPage = markdownLines(linesOf(page));
      for (const { text } of ofPage) count(text.length + WORD_OVERHEAD);
      lines.push(ofPage);
    }
    return writeMarkdown(lines).map((text, index) => ({ page: (pages[index] ?? 0) + 1, text }));
  }
  return pages.map((page) => {
    if (format === 'plain') {
      const more = annotations.linesOf(page).map(textOf);
      const text = trimLines([readText(document, page), ...more].join('\n'));
      count(text.length);
      return { page: page + 1, text };
    }
    const lines = linesOf(page);
    const [text, words] = [trimLines(lines.map(textOf).join('\n')), wordsOf(lines)];
    count(2 * text.length + WORD_OVERHEAD * words.length);
    return { page: page + 1, text, words };
  });
}

/** Removes white space at the ends of lines, and blank lines at the start and the end of the text. */
function trimLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n');
}
