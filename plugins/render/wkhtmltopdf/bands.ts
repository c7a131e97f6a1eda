import { escapeMarkup } from './escape-markup.ts';
import { scaleOf, type Sheet } from './layout.ts';
import { isPrinted, type Band, type PageSettings } from './settings.ts';

/** The values of the placeholders in a header or footer, such as `[page]`. */
export type BandValues = Readonly<Record<string, string>>;

/** The facts about a page of the document. */
export interface PageFacts {
  page: number;
  firstPage: number;
  lastPage: number;
  /** The number of the page within its object, and of the object's pages. */
  sitePage: number;
  sitePages: number;
  source: string;
  sections: readonly [string, string, string];
  title: string;
  documentTitle: string;
  now: Date;
}

/** Returns the values of the placeholders on a page. */
export function bandValues(facts: PageFacts, replacements: PageSettings['replacements']): BandValues {
  const [section, subsection, subsubsection] = facts.sections;
  const { now } = facts;
  const two = (number: number) => String(number).padStart(2, '0');
  return {
    page: String(facts.page),
    frompage: String(facts.firstPage),
    topage: String(facts.lastPage),
    webpage: facts.source,
    section,
    subsection,
    subsubsection,
    date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(now),
    isodate: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    time: `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`,
    title: facts.title,
    doctitle: facts.documentTitle,
    sitepage: String(facts.sitePage),
    sitepages: String(facts.sitePages),
    ...Object.fromEntries(replacements),
  };
}

/** Values with which a header is measured before its page is known. */
export const SAMPLE_VALUES = bandValues(
  {
    page: 1,
    firstPage: 1,
    lastPage: 1,
    sitePage: 1,
    sitePages: 1,
    source: 'page',
    sections: ['Section', 'Section', 'Section'],
    title: 'Title',
    documentTitle: 'Title',
    now: new Date(),
  },
  [],
);

/** Replaces the placeholders in a text. The case of their names does not matter. */
export function fillText(text: string, values: BandValues): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return text.replaceAll(
    /\[([^[\]]{1,100})\]/g,
    (placeholder, name: string) => byName.get(name.toLowerCase()) ?? placeholder,
  );
}

/** Returns the URL of a header or footer for a page. The values are in its query. */
export function bandUrl(url: string, values: BandValues): string {
  const parsed = new URL(url);
  const query = Object.entries(values).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  parsed.search = [parsed.search.slice(1), ...query].filter(Boolean).join('&');
  return parsed.href;
}

const MILLIMETRES_PER_POINT = 25.4 / 72;
const MILLIMETRES_PER_PIXEL = 25.4 / 96;
/** The height of a line of Arial relative to its font size. */
const LINE_HEIGHT = 1.15;

/** Returns the height of a header or footer with its distance to the content, in millimetres. */
export function bandHeight(
  band: Band,
  { htmlPixels, shrinks }: { htmlPixels: number; shrinks: boolean },
): number {
  if (!isPrinted(band)) return 0;
  const { spacing } = band;
  if (band.html !== undefined) return htmlPixels * MILLIMETRES_PER_PIXEL * bandScale({ shrinks }) + spacing;
  return band.fontSize * LINE_HEIGHT * MILLIMETRES_PER_POINT + spacing;
}

/** The size of an HTML header relative to its CSS size. */
export function bandScale({ shrinks }: Pick<PageSettings, 'shrinks'>): number {
  return scaleOf({ shrinks, zoom: 1 });
}

/** A page of the document with its header and footer. */
export interface BandedPage {
  sheet: Sheet;
  settings: PageSettings;
  values: BandValues;
  /** The URLs of HTML headers and footers, and their heights in CSS pixels. */
  header: { url: string; pixels: number } | undefined;
  footer: { url: string; pixels: number } | undefined;
}

/** Returns a document with one sheet for each page, which has its header and footer at their places. */
export function bandsHtml(pages: readonly BandedPage[]): string {
  const [{ sheet } = { sheet: { width: 210, height: 297 } }] = pages;
  return `<!doctype html><meta charset="utf-8"><style>
@page{size:${sheet.width}mm ${sheet.height}mm;margin:0}
html,body{margin:0;background:none}
section{position:relative;width:${sheet.width}mm;height:${sheet.height - 1}mm;break-after:page;overflow:visible}
section:last-child{break-after:auto}
section>*{position:absolute;border:0}
p{margin:0;white-space:pre;line-height:${LINE_HEIGHT}}
iframe{transform-origin:0 0}
</style>${pages.map((page) => `<section>${headerHtml(page)}${footerHtml(page)}</section>`).join('')}`;
}

function headerHtml({ sheet, settings, values, header }: BandedPage): string {
  const band = settings.header;
  const edge = sheet.margins.top - band.spacing;
  const line = band.hasLine ? lineHtml(sheet, edge) : '';
  if (header) {
    const height = header.pixels * MILLIMETRES_PER_PIXEL * bandScale(settings);
    return line + frameHtml(sheet, settings, { ...header, top: edge - height });
  }
  return line + textHtml(sheet, band, { values, position: `bottom:calc(100% - ${edge}mm)` });
}

function footerHtml({ sheet, settings, values, footer }: BandedPage): string {
  const band = settings.footer;
  const edge = sheet.height - sheet.margins.bottom + band.spacing;
  const line = band.hasLine ? lineHtml(sheet, edge) : '';
  if (footer) return line + frameHtml(sheet, settings, { ...footer, top: edge });
  return line + textHtml(sheet, band, { values, position: `top:${edge}mm` });
}

function lineHtml({ margins }: Sheet, top: number): string {
  return `<div style="left:${margins.left}mm;right:${margins.right}mm;top:${top}mm;border-top:0.25mm solid black"></div>`;
}

function textHtml(
  { margins }: Sheet,
  band: Band,
  { values, position }: { values: BandValues; position: string },
): string {
  const font = `font-family:'${band.fontName.replaceAll(/[^\w .-]/g, '')}',sans-serif;font-size:${band.fontSize}pt`;
  return (['left', 'center', 'right'] as const)
    .filter((side) => band[side] !== '')
    .map(
      (side) =>
        `<p style="left:${margins.left}mm;right:${margins.right}mm;${position};text-align:${side};${font}">${escapeMarkup(fillText(band[side], values))}</p>`,
    )
    .join('');
}

function frameHtml(
  { width, margins }: Sheet,
  settings: PageSettings,
  { url, pixels, top }: { url: string; pixels: number; top: number },
): string {
  const scale = bandScale(settings);
  const inner = (width - margins.left - margins.right) / scale;
  return `<iframe src="${escapeMarkup(url)}" scrolling="no" style="left:${margins.left}mm;top:${top}mm;width:${inner}mm;height:${pixels}px;transform:scale(${scale})"></iframe>`;
}
