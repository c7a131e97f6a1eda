import type { SectionPages } from '../paged/page/sections.ts';
import { HEADER_FOOTER_EDGE_IN, wrapHeaderOrFooter } from './header-footer.ts';
import type { HeaderSheets, PageSize } from './header-sheets.ts';
import { drawSheets, type Sheet } from './page/draw-sheets.ts';
import type { PrintSetup } from './print-options.ts';

/** Chromium itself places a header one pixel further from the edge. */
const EDGE = `calc(${HEADER_FOOTER_EDGE_IN}in + 1px)`;
/** Headers request nothing from the network. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src data: 'unsafe-inline'">`;
/**
 * The layout of the sheets. No style of a header changes it, because the first layer takes precedence among
 * important rules. Containment keeps counters, page breaks and elements with a fixed position inside a sheet.
 */
const LAYOUT =
  '@layer platen{' +
  'html,body{display:block!important;position:static!important;float:none!important;margin:0!important;padding:0!important;border:0!important;width:auto!important;height:auto!important;min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important;columns:auto!important;overflow:visible!important;contain:none!important;transform:none!important;zoom:1!important;writing-mode:horizontal-tb!important;visibility:visible!important;opacity:1!important}' +
  'head,html::before,html::after,body::before,body::after{display:none!important}' +
  'platen-sheet{all:unset!important;display:block!important;position:relative!important;contain:strict!important;break-after:page!important}' +
  'platen-header,platen-footer{all:unset!important;display:block!important;position:absolute!important;left:0!important;right:0!important}' +
  `platen-header{top:${EDGE}!important}platen-footer{bottom:${EDGE}!important}}`;

/** What the headers of a document show. */
interface HeaderContent {
  /** The pages with their numbers in the document, ascending. */
  pages: readonly { number: number; size: PageSize }[];
  /** The number of pages of the document. */
  total: number;
  sections: readonly SectionPages[];
}

/**
 * Returns documents whose pages show the headers and footers of a document with their numbers and sections:
 * one document for the first page if its header or footer differs, and one for the others. Chromium itself
 * knows the number of a page in a document only.
 */
export function sectionSheets(setup: PrintSetup, { pages, total, sections }: HeaderContent): HeaderSheets[] {
  const { header, footer, firstPage, pageNumberStart = 1 } = setup;
  const shift = pageNumberStart - 1;
  const rules = new Map<string, string>();
  const sheets = pages.map(({ number, size }): Sheet => {
    const css = `${size.width}pt ${size.height}pt`;
    const page = rules.get(css) ?? `s${rules.size}`;
    rules.set(css, page);
    const numbers = { pageNumber: number + shift, totalPages: total + shift };
    return { page, height: size.height, values: { ...valuesOf(number, sections), ...numbers } };
  });
  const sizes = [...rules].map(([css, name]) => `@page ${name}{size:${css};margin:0}`).join('');
  const html = `<!doctype html>${POLICY}<style>${LAYOUT}${sizes}</style><body>`;
  const own = firstPage && pages[0]?.number === 1 ? firstPage : undefined;
  const rest = own ? 1 : 0;
  const wrap = (part = '') => (part === '' ? '' : wrapHeaderOrFooter(part, setup.marginsIn));
  return [
    { first: 0, shown: sheets.slice(0, rest), headerFooter: own },
    { first: rest, shown: sheets.slice(rest), headerFooter: { header, footer } },
  ].flatMap(({ first, shown, headerFooter }) => {
    if (shown.length === 0 || !(headerFooter?.header ?? headerFooter?.footer)) return [];
    const parts = { header: wrap(headerFooter.header), footer: wrap(headerFooter.footer) };
    const prepare = `(${String(drawSheets)})(${JSON.stringify({ ...parts, sheets: shown })})`;
    return [{ html, firstPage: first, setup: sheetSetup(setup, prepare) }];
  });
}

function sheetSetup({ widthIn, heightIn, printBackground }: PrintSetup, prepare: string): PrintSetup {
  return {
    widthIn,
    heightIn,
    landscape: false,
    marginsIn: { top: 0, right: 0, bottom: 0, left: 0 },
    printBackground,
    scale: 1,
    media: 'print',
    preferCssPageSize: true,
    prepare,
    header: undefined,
    footer: undefined,
  };
}

/** Returns the values for a page. Outside of sections they are empty. */
function valuesOf(number: number, sections: readonly SectionPages[]) {
  const section = sections.find(({ first, last }) => first <= number && number <= last);
  return section
    ? {
        sectionTitle: section.title,
        sectionPageNumber: number - section.first + 1,
        sectionTotalPages: section.last - section.first + 1,
      }
    : { sectionTitle: '', sectionPageNumber: '', sectionTotalPages: '' };
}
