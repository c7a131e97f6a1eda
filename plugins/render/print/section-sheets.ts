import type { SectionPages } from '../paged/page/sections.ts';
import { HEADER_FOOTER_EDGE_IN, wrapHeaderOrFooter } from './header-footer.ts';
import type { HeaderSheets, PageSize } from './header-sheets.ts';
import type { PrintSetup } from './print-options.ts';

/** The placeholders of page numbers and sections in a header or footer. */
const PLACEHOLDER =
  /<span class="(pageNumber|totalPages|sectionPageNumber|sectionTotalPages|sectionTitle)"><\/span>/g;
/** Chromium itself places a header one pixel further from the edge. */
const EDGE = `calc(${HEADER_FOOTER_EDGE_IN}in + 1px)`;

/** What the headers of a document show. */
interface HeaderContent {
  /** The pages with their numbers in the document, ascending. */
  pages: readonly { number: number; size: PageSize }[];
  /** The number of pages of the document. */
  total: number;
  sections: readonly SectionPages[];
}

/**
 * Returns one document whose pages show the headers and footers of a document with their numbers and
 * sections. Chromium itself knows the number of a page in a document only.
 */
export function sectionSheets(setup: PrintSetup, { pages, total, sections }: HeaderContent): HeaderSheets {
  const { header, footer, firstPage = { header, footer }, pageNumberStart = 1 } = setup;
  const shift = pageNumberStart - 1;
  const sheets: string[] = [];
  const rules = new Map<string, string>();
  for (const { number, size } of pages) {
    const css = `${size.width}pt ${size.height}pt`;
    const name = rules.get(css) ?? `s${rules.size}`;
    rules.set(css, name);
    const values = { ...valuesOf(number, sections), pageNumber: number + shift, totalPages: total + shift };
    const own = number === 1 ? firstPage : { header, footer };
    const fill = (html = '') =>
      wrapHeaderOrFooter(html, setup.marginsIn).replaceAll(
        PLACEHOLDER,
        (_, key: keyof typeof values) => `<span class="${key}">${escape(String(values[key]))}</span>`,
      );
    const at = `all:initial;display:block;position:absolute;left:0;right:0`;
    sheets.push(
      `<div style="all:initial;display:block;position:relative;overflow:hidden;break-after:page;page:${name};height:${size.height}pt">` +
        `<div style="${at};top:${EDGE}">${fill(own.header)}</div>` +
        `<div style="${at};bottom:${EDGE}">${fill(own.footer)}</div></div>`,
    );
  }
  const sizes = [...rules].map(([css, name]) => `@page ${name}{size:${css};margin:0}`).join('');
  return {
    html: `<!doctype html><style>body{margin:0}${sizes}</style>${sheets.join('')}`,
    firstPage: 0,
    setup: {
      widthIn: setup.widthIn,
      heightIn: setup.heightIn,
      landscape: false,
      marginsIn: { top: 0, right: 0, bottom: 0, left: 0 },
      printBackground: setup.printBackground,
      scale: 1,
      media: 'print',
      preferCssPageSize: true,
      header: undefined,
      footer: undefined,
    },
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

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
