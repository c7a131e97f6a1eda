import { escapeMarkup } from './escape-markup.ts';
import type { PrintedOutline } from './task.ts';

/** A heading of a part of the document. */
export interface Heading {
  title: string;
  /** The number of its page in the document, from 1. */
  page: number;
  /** Identifies the heading in the links of a table of contents. */
  link: { part: number; index: number };
  children: Heading[];
}

/** Numbers the headings of a part in the document. Returns those down to a depth. */
export function headingsOf(
  outline: readonly PrintedOutline[],
  { part, firstPage, depth }: { part: number; firstPage: number; depth: number },
): Heading[] {
  let index = 0;
  const convert = (items: readonly PrintedOutline[], level: number): Heading[] =>
    items.flatMap(({ title, page, children }) => {
      const link = { part, index };
      index += 1;
      const nested = convert(children, level + 1);
      return level > depth ? [] : [{ title, page: firstPage + page, link, children: nested }];
    });
  return convert(outline, 1);
}

/** The headings that apply to a page: the last one of each level that begins on it or before. */
export function sectionsAt(headings: readonly Heading[], page: number): [string, string, string] {
  const names: string[] = [];
  for (let level = headings; names.length < 3;) {
    const current = level.findLast((heading) => heading.page <= page);
    if (!current) break;
    names.push(current.title);
    level = current.children;
  }
  const [section = '', subsection = '', subsubsection = ''] = names;
  return [section, subsection, subsubsection];
}

/** A part of the outline with the title of its document, for the XML of an outline. */
export interface OutlinePart {
  title: string;
  firstPage: number;
  headings: readonly Heading[];
}

/** Returns the URL by which a table of contents refers to a heading. The assembly replaces it. */
export function linkTo({ part, index }: Heading['link']): string {
  return `${CONTENTS_LINK}${part}/${index}`;
}

/** The start of the links of a table of contents. */
export const CONTENTS_LINK = 'https://contents.platen.invalid/';

/** Writes an outline as XML in the form of wkhtmltopdf, on which `--xsl-style-sheet` works. */
export function outlineXml(parts: readonly OutlinePart[]): string {
  const item = ({ title, page, link, children }: Heading, indent: string): string => {
    const head = `${indent}<item title="${escapeMarkup(title)}" page="${page}" link="${linkTo(link)}" backLink=""`;
    if (children.length === 0) return `${head}/>\n`;
    return `${head}>\n${children.map((child) => item(child, `${indent}  `)).join('')}${indent}</item>\n`;
  };
  const body = parts.map(
    ({ title, firstPage, headings }) =>
      `  <item title="${escapeMarkup(title)}" page="${firstPage}" link="" backLink="">\n${headings.map((heading) => item(heading, '    ')).join('')}  </item>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<outline xmlns="http://wkhtmltopdf.org/outline">\n${body.join('')}</outline>\n`;
}
