import { rangesOf } from './page-ranges.ts';
import type { PrintSetup } from './print-options.ts';
import { showsSections } from './section-variables.ts';

/**
 * A document of blank pages that are printed with a header and footer, to be drawn over the pages of another
 * document.
 */
export interface HeaderSheets {
  html: string;
  setup: PrintSetup;
  /** The zero-based index of the page over which the first sheet is drawn. */
  firstPage: number;
}

/** The size of a printed page in points. */
export interface PageSize {
  width: number;
  height: number;
}

/**
 * Tells whether header and footer are printed on separate sheets. Chromium itself prints one header on all
 * pages, and numbers them from 1. On separate sheets, the first one can have its own header, and blank pages
 * before them shift their numbers.
 */
export function needsHeaderSheets(setup: PrintSetup): boolean {
  const { header, footer, firstPage, pageNumberStart = 1 } = setup;
  return (
    firstPage !== undefined ||
    (pageNumberStart !== 1 && (header ?? footer) !== undefined) ||
    showsSections(setup)
  );
}

/** The placeholder in a header, or a character reference that may be a part of it. */
const TOTAL = /totalPages|&#/i;

/**
 * Tells whether sheets for selected pages need the number of all pages. They do not need it when the
 * selection ends with the document, or when the number is not printed.
 */
export function needsTotal(setup: PrintSetup): boolean {
  const { header, footer, firstPage, pageRanges } = setup;
  if (!pageRanges || !needsHeaderSheets(setup)) return false;
  if (pageRanges.some(({ last }) => last === undefined)) return false;
  return [header, footer, firstPage?.header, firstPage?.footer].some((text) => text && TOTAL.test(text));
}

/**
 * Returns the sheets for the printed pages of a document.
 * @param pages the numbers of the printed pages in the document, ascending, and their sizes
 * @param total the number of pages of the document; the number of its last printed page suffices unless
 * {@link needsTotal} returns true
 */
export function planHeaderSheets(
  setup: PrintSetup,
  pages: readonly { number: number; size: PageSize }[],
  total: number,
): HeaderSheets[] {
  const { header, footer, firstPage = { header, footer }, pageNumberStart = 1 } = setup;
  const shift = pageNumberStart - 1;
  const hasOwnFirst = setup.firstPage !== undefined && pages[0]?.number === 1;
  const groups = hasOwnFirst
    ? [
        { pages: pages.slice(0, 1), first: 0, headerFooter: firstPage },
        { pages: pages.slice(1), first: 1, headerFooter: { header, footer } },
      ]
    : [{ pages, first: 0, headerFooter: { header, footer } }];
  const html = blankPages(pages, shift + total, shift);
  return groups
    .filter((group) => group.pages.length > 0 && (group.headerFooter.header ?? group.headerFooter.footer))
    .map((group) => ({
      html,
      firstPage: group.first,
      setup: {
        ...sheetSetup(setup),
        ...group.headerFooter,
        pageRanges: rangesOf(group.pages.map(({ number }) => number + shift)),
      },
    }));
}

function sheetSetup({ widthIn, heightIn, landscape, marginsIn, printBackground }: PrintSetup): PrintSetup {
  return {
    ...(landscape ? { widthIn: heightIn, heightIn: widthIn } : { widthIn, heightIn }),
    landscape: false,
    marginsIn,
    printBackground,
    scale: 1,
    media: 'print',
    preferCssPageSize: true,
    header: undefined,
    footer: undefined,
  };
}

/** Returns a document of blank pages. Printed pages have their sizes; the others are only counted. */
function blankPages(
  pages: readonly { number: number; size: PageSize }[],
  count: number,
  shift: number,
): string {
  const names = new Map<string, string>();
  const named = new Map<number, string>();
  for (const { number, size } of pages) {
    const css = `${size.width}pt ${size.height}pt`;
    const name = names.get(css) ?? `s${names.size}`;
    names.set(css, name);
    named.set(number + shift, name);
  }
  const rules = [...names].map(([css, name]) => `@page ${name}{size:${css}}.${name}{page:${name}}`).join('');
  const other = names.values().next().value ?? '';
  const sheets = Array.from({ length: count }, (_, index) => `<p class=${named.get(index + 1) ?? other}>`);
  // Empty paragraphs would make no page.
  return `<!doctype html><style>body{margin:0}p{margin:0;height:1px;break-after:page}p:last-child{break-after:auto}${rules}</style>${sheets.join('')}`;
}
