import type { LaunchedBrowser } from '../browser/launch.ts';
import type { LargePdfMemory } from '../large-pdf.ts';
import { countPages, removeUnsafeLinks } from '../pdf-scan.ts';
import { contentScale } from '../print/content-scale.ts';
import { bandHeight, bandScale, bandUrl, SAMPLE_VALUES } from './bands.ts';
import type { JarCookie } from './cookie-jar.ts';
import { printSetupOf, scaleOf, sheetOf, shrunkScale, windowOf, type Sheet } from './layout.ts';
import { LocalFiles, pathOfUrl } from './local-files.ts';
import type { DocumentSettings, PageObject, PageSettings } from './settings.ts';
import { urlOf } from './sources.ts';
import type { PrintedOutline } from './task.ts';
import { WebPage } from './web-page.ts';

/** The parts of a conversion that print pages. */
export interface Printing {
  browser: LaunchedBrowser;
  memory: LargePdfMemory;
  readOutline: (pdf: Uint8Array) => Promise<PrintedOutline[]>;
  document: DocumentSettings;
  jar: readonly JarCookie[];
  warn: (message: string) => void;
  /** The heights of HTML headers and footers in CSS pixels, by URL and width. */
  heights: Map<string, number>;
}

/** An HTML header or footer and its height in CSS pixels. */
export interface MeasuredBand {
  url: string;
  pixels: number;
}

/** A printed part of the document. */
export interface PrintedPart {
  object: PageObject;
  sheet: Sheet;
  pdf: Buffer;
  pages: number;
  title: string;
  outline: PrintedOutline[];
  header: MeasuredBand | undefined;
  footer: MeasuredBand | undefined;
}

/** Returns the local files that the page at a URL may load. */
export function filesFor(
  url: string,
  { readsLocalFiles, allowedPaths, styleSheet }: PageSettings,
): LocalFiles {
  const own = [url, ...(styleSheet === undefined ? [] : [urlOf(styleSheet)])];
  const paths = [...own.flatMap((each) => pathOfUrl(each) ?? []), ...allowedPaths];
  return new LocalFiles({ allowsAll: readsLocalFiles, paths });
}

/** Loads the page of an object, and prints it. `url` is its address. @throws {LoadError} */
export async function printObject(printing: Printing, object: PageObject, url: string): Promise<PrintedPart> {
  const { document, browser, memory, jar, warn } = printing;
  const { page: settings } = object;
  const header = await measureBand(printing, settings, 'header');
  const footer = await measureBand(printing, settings, 'footer');
  const heightOf = (name: 'header' | 'footer', measured: MeasuredBand | undefined) =>
    bandHeight(settings[name], { htmlPixels: measured?.pixels ?? 0, shrinks: settings.shrinks });
  const sheet = sheetOf(document, { header: heightOf('header', header), footer: heightOf('footer', footer) });
  const scale = scaleOf(settings);
  const window = windowOf(sheet, scale);
  const files = filesFor(url, settings);
  const styleSheet = settings.styleSheet === undefined ? undefined : urlOf(settings.styleSheet);
  const request = { url, settings: { ...settings, styleSheet }, files, window, jar, warn };
  const page = await WebPage.open(browser, request);
  try {
    await prepare(page, settings, sheet);
    const contentWidth = settings.shrinks ? Number(await page.evaluate(CONTENT_WIDTH)) : 0;
    const shrunk = settings.viewport
      ? scale
      : shrunkScale(scale, { contentWidth, layoutWidth: window.width });
    const setup = printSetupOf(sheet, settings, Math.min(2, Math.max(0.1, shrunk)));
    const pdf = await page.print({ ...setup, scale: contentScale('', setup) }, memory);
    await removeUnsafeLinks(pdf);
    const title = String(await page.evaluate('String(document.title)'));
    const outline = await printing.readOutline(pdf);
    return { object, sheet, pdf, pages: countPages(pdf), title, outline, header, footer };
  } finally {
    await page.close();
  }
}

/** The width of the content in CSS pixels, where it is wider than the window. */
const CONTENT_WIDTH = 'Math.max(document.documentElement.scrollWidth, document.body?.scrollWidth ?? 0)';

/** Changes the page as the flags say. */
async function prepare(page: WebPage, settings: PageSettings, sheet: Sheet): Promise<void> {
  const { hasExternalLinks, hasInternalLinks } = settings;
  const isInternal = `(new URL(link.href).href.split('#')[0] === location.href.split('#')[0])`;
  const removed = [
    ...(hasExternalLinks ? [] : [`!${isInternal}`]),
    ...(hasInternalLinks ? [] : [isInternal]),
  ];
  if (removed.length > 0)
    await page.evaluate(`for (const link of document.querySelectorAll('a[href]')) {
      if (URL.canParse(link.href) && (${removed.join(' || ')})) link.removeAttribute('href');
    }`);
  const { width, height, margins } = sheet;
  const sides = [margins.top, margins.right, margins.bottom, margins.left].map((side) => `${side}mm`);
  const css = [
    // WebKit knew no `@page` rules.
    `@page{size:${width}mm ${height}mm!important;margin:${sides.join(' ')}!important}`,
    // Otherwise Chromium shrinks pages that are wider than the paper.
    ...(settings.shrinks ? [] : ['html,body{overflow-x:clip}']),
  ];
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css.join(''))});
    document.adoptedStyleSheets.push(sheet);
  })()`);
}

/** Loads the HTML header or footer of a page, and measures it. */
async function measureBand(
  { browser, document, heights, jar, warn }: Printing,
  settings: PageSettings,
  name: 'header' | 'footer',
): Promise<MeasuredBand | undefined> {
  const { html } = settings[name];
  if (html === undefined) return undefined;
  const url = urlOf(html);
  const { width } = windowOf(sheetOf(document, { header: 0, footer: 0 }), bandScale(settings));
  const key = `${width} ${url}`;
  const known = heights.get(key);
  if (known !== undefined) return { url, pixels: known };
  const page = await WebPage.open(browser, {
    url: bandUrl(url, SAMPLE_VALUES),
    settings: {
      ...settings,
      viewport: undefined,
      postFields: [],
      postFiles: [],
      scripts: [],
      windowStatus: undefined,
    },
    files: filesFor(url, settings),
    window: { width, height: 10 },
    jar,
    warn,
  });
  try {
    const pixels = Math.ceil(Number(await page.evaluate(CONTENT_HEIGHT)));
    heights.set(key, pixels);
    return { url, pixels };
  } finally {
    await page.close();
  }
}

/** The height of the content, whose body may have margins. */
const CONTENT_HEIGHT = `(() => {
  const root = document.documentElement.getBoundingClientRect();
  return Math.max(root.height, document.body?.scrollHeight ?? 0);
})()`;
