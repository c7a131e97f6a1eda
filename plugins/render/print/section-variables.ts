import type { PrintSetup } from './print-options.ts';

const SECTION = '<span class="section';
const TITLE = '<span class="sectionTitle"></span>';
/** A title of a section in HTML. */
const TITLE_ATTRIBUTE = /\bdata-section\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const MAX_TITLE = 1_000;

/** Tells whether the header or footer shows the sections of the document. */
export function showsSections({ header, footer, firstPage, page }: PrintSetup): boolean {
  if (page?.nativeHeaders) return false;
  return [header, footer, firstPage?.header, firstPage?.footer].some((html) => html?.includes(SECTION));
}

/**
 * Fills in the longest title of the sections of a document, so that a header is measured with it. A document
 * whose sections are added by a script has no title in its HTML; its header has room for one line of it.
 */
export function withLongestTitle(header: string, document: string): string {
  if (!header.includes(TITLE)) return header;
  let longest = '0';
  for (const [, double, single, bare] of document.matchAll(TITLE_ATTRIBUTE)) {
    const title = (double ?? single ?? bare ?? '').slice(0, MAX_TITLE);
    if (title.length > longest.length) longest = title;
  }
  const text = longest.replaceAll('<', '&lt;');
  return header.replaceAll(TITLE, () => `<span class="sectionTitle">${text}</span>`);
}
