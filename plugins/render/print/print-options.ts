import { invalid } from '../../../src/plugin.ts';
import { findFormat, FORMAT_NAMES } from '../../documents/exports.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import type { AccessibleSetup } from '../accessibility/page/check-document.ts';
import { checkFinish, type FinishSettings } from '../finish/check-finish.ts';
import { needsActivePageFor, type PageOptions } from '../page/page-options.ts';
import { NO_EARLIER_BROWSER, type BrowserChoice } from '../browser/browser-choice.ts';
import type { WaitConditions } from '../browser/wait-conditions.ts';
import { readPageRanges, writePageRanges, type PageRange } from './page-ranges.ts';
import { readRequirements, type Requirements } from './requirements.ts';

/** The layout of a document on paper. Lengths are in inches, Chromium's unit. */
export interface PrintSetup {
  widthIn: number;
  heightIn: number;
  landscape: boolean;
  marginsIn: Margins;
  printBackground: boolean;
  /** The size of the content relative to its CSS size. Headers, footers and margins are not scaled. */
  scale: number;
  /**
   * Set for documents of the service whose lengths must be exact, so that `contentScale` does not change
   * them.
   */
  hasExactLengths?: boolean;
  /** The media type whose styles apply. */
  media: 'print' | 'screen';
  /** Whether `@page { size }` in the document replaces the size of the paper. */
  preferCssPageSize: boolean;
  /** Whether the document is printed on one page that is as tall as its content. */
  singlePage?: boolean | undefined;
  /** Whether the PDF gets bookmarks from headings. */
  outline?: boolean | undefined;
  /** Set for a PDF with structure tags, whose document is checked. */
  accessible?: AccessibleSetup | undefined;
  /** The pages to print; all when absent. */
  pageRanges?: readonly PageRange[] | undefined;
  /** The conditions that the document must meet before it is printed. */
  waitFor?: WaitConditions | undefined;
  /** The faults that fail the document; none when absent. */
  requirements?: Requirements | undefined;
  /** HTML with Chromium's classes for page numbers. */
  header: string | undefined;
  footer: string | undefined;
  /** The header and footer of the first page, when they differ from the others. */
  firstPage?: { header: string | undefined; footer: string | undefined } | undefined;
  /** The number of the first page; 1 when absent. */
  pageNumberStart?: number | undefined;
  /**
   * A script of the service that runs before printing. Only for plain pages, whose main world no document can
   * modify.
   */
  prepare?: string | undefined;
  /** The browser that prints the document; the current one when absent. */
  browser?: BrowserChoice | undefined;
  /** What a plugin asks of the browser page. */
  page?: PageOptions | undefined;
}

/** HTML that is printed on each page. */
interface HeaderAndFooter {
  header?: string | undefined;
  footer?: string | undefined;
}

/** The margins in inches. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The height of the window of a document on a single page. */
const A4_HEIGHT_IN = 297 / 25.4;

const CSS_PIXEL_IN = 1 / 96;

const INCHES: Readonly<Record<string, number>> = {
  px: CSS_PIXEL_IN,
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  pt: 1 / 72,
  pc: 1 / 6,
};

/** The side of a PDF page is at most 14,400 units of 1/72 in (ISO 32000-1 annex C.2). */
const MAX_SIDE_IN = 200;
const MIN_SIDE_IN = 0.5;
/** The smallest space between the margins that can hold text. */
const MIN_CONTENT_IN = 0.25;

/** The configured limits that apply to options. */
export interface PrintLimits extends FinishSettings {
  /** The time limit of a document. */
  timeoutMs: number;
  /** Whether the service has an earlier browser; `false` when absent. */
  hasEarlierBrowser?: boolean;
}

/**
 * Converts the options of a request.
 * @throws {AppError} VALIDATION_ERROR that names the option and its valid values.
 */
export function toPrintSetup(options: GenerateOptions = {}, limits?: PrintLimits): PrintSetup {
  requireFirstPage(options.firstPage);
  requireSinglePage(options);
  checkFinish(options, limits);
  if (options.browser === 'earlier' && limits && !limits.hasEarlierBrowser)
    throw invalid('options.browser', NO_EARLIER_BROWSER);
  const [widthIn, heightIn] = readFormat(options);
  const landscape = options.orientation === 'landscape';
  const marginsIn = readMargins(options.margin ?? '0.5in');
  const setup: PrintSetup = {
    widthIn,
    heightIn,
    landscape,
    marginsIn,
    printBackground: options.printBackground ?? true,
    scale: options.scale ?? 1,
    media: options.media ?? 'print',
    preferCssPageSize:
      options.preferCssPageSize ??
      (options.format === undefined && options.orientation === undefined && options.singlePage !== true),
    singlePage: options.singlePage,
    outline: options.outline,
    browser: options.browser,
    accessible: options.accessible
      ? { hasTitle: isGiven(options.properties?.title), hasLanguage: isGiven(options.properties?.language) }
      : undefined,
    pageRanges: options.pageRanges === undefined ? undefined : readPageRanges(options.pageRanges),
    waitFor: readConditions(options.waitFor, limits),
    requirements: readRequirements(options),
    header: options.header || undefined,
    footer: options.footer || undefined,
    firstPage: options.firstPage && firstPageOf(options, options.firstPage),
    pageNumberStart: options.pageNumberStart,
  };
  requireRoom(setup);
  return setup;
}

/**
 * Tells whether a document must be printed on an active page, whatever it contains: plain pages are the same
 * for all documents.
 */
export function needsActivePage(setup: PrintSetup): boolean {
  const { media, waitFor, firstPage, pageNumberStart = 1, singlePage = false, page } = setup;
  const changesPages = firstPage !== undefined || pageNumberStart !== 1 || singlePage;
  return media === 'screen' || waitFor !== undefined || changesPages || needsActivePageFor(page);
}

/**
 * Returns the header and footer of the first page. An empty string means none; an absent field means the same
 * as on other pages.
 */
export function firstPageOf(
  others: HeaderAndFooter,
  first: HeaderAndFooter,
): NonNullable<PrintSetup['firstPage']> {
  return {
    header: (first.header ?? others.header) || undefined,
    footer: (first.footer ?? others.footer) || undefined,
  };
}

/** Returns the parameters of Chromium's `Page.printToPDF`. */
export function printCommand({ marginsIn, header, footer, pageRanges, ...setup }: PrintSetup) {
  return {
    paperWidth: setup.widthIn,
    paperHeight: setup.heightIn,
    landscape: setup.landscape,
    marginTop: marginsIn.top,
    marginRight: marginsIn.right,
    marginBottom: marginsIn.bottom,
    marginLeft: marginsIn.left,
    scale: setup.scale,
    printBackground: setup.printBackground,
    preferCSSPageSize: setup.preferCssPageSize,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: header || '<span></span>',
    footerTemplate: footer || '<span></span>',
    // Chromium makes an outline only with a structure tree.
    generateTaggedPDF:
      setup.outline === true || setup.accessible !== undefined || setup.page?.tagged === true,
    generateDocumentOutline: setup.outline ?? false,
    ...(pageRanges && { pageRanges: writePageRanges(pageRanges) }),
    ...(setup.page?.nativePageRanges !== undefined && { pageRanges: setup.page.nativePageRanges }),
  };
}

/** Returns the size of the paper in its orientation. */
export function paperSize({ widthIn, heightIn, landscape }: PrintSetup): {
  widthIn: number;
  heightIn: number;
} {
  return landscape ? { widthIn: heightIn, heightIn: widthIn } : { widthIn, heightIn };
}

function isGiven(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/** Returns the size of the paper before it is turned to landscape. */
function readFormat({ format = 'A4', orientation }: GenerateOptions): readonly [number, number] {
  if (typeof format === 'string') {
    const size = findFormat(format);
    if (!size) throw invalid('options.format', `must be one of ${FORMAT_NAMES.join(', ')}`);
    // Ledger is landscape unless the request says otherwise.
    return orientation === undefined ? size : [Math.min(...size), Math.max(...size)];
  }
  const { width, height } = format;
  return [
    readSide('options.format.width', width),
    height === undefined ? A4_HEIGHT_IN : readSide('options.format.height', height),
  ];
}

/**
 * Rejects options without effect on a single page, and a paper without a height otherwise.
 * @throws {AppError} VALIDATION_ERROR
 */
function requireSinglePage(options: GenerateOptions): void {
  const { format, orientation, singlePage = false } = options;
  const height = typeof format === 'object' ? format.height : undefined;
  if (!singlePage) {
    if (typeof format === 'object' && height === undefined)
      throw invalid('options.format.height', 'is required');
    return;
  }
  const conflict = 'cannot be combined with singlePage';
  if (height !== undefined)
    throw invalid('options.format.height', `${conflict}, which has the height of the content`);
  if (typeof format === 'object' && orientation !== undefined)
    throw invalid('options.orientation', `${conflict} and a width`);
  for (const name of ['pageRanges', 'firstPage', 'preferCssPageSize'] as const)
    if (options[name] !== undefined) throw invalid(`options.${name}`, conflict);
}

/** @throws {AppError} VALIDATION_ERROR */
function requireFirstPage(first: GenerateOptions['firstPage']): void {
  if (first && first.header === undefined && first.footer === undefined)
    throw invalid('options.firstPage', 'must have a header, a footer or both');
}

function readConditions(
  conditions: GenerateOptions['waitFor'],
  limits: PrintLimits | undefined,
): WaitConditions | undefined {
  if (conditions === undefined) return undefined;
  const path = 'options.waitFor';
  if (Object.keys(conditions).length === 0)
    throw invalid(path, 'must have at least one of selector, expression, networkIdle and delayMs');
  const { delayMs = 0 } = conditions;
  if (limits && delayMs >= limits.timeoutMs)
    throw invalid(
      `${path}.delayMs`,
      `must be less than ${limits.timeoutMs}, the time limit of a document in milliseconds`,
    );
  return conditions;
}

function readSide(path: string, length: string): number {
  const inches = toInches(path, length);
  if (inches < MIN_SIDE_IN || inches > MAX_SIDE_IN) {
    throw invalid(path, `must be from ${MIN_SIDE_IN}in to ${MAX_SIDE_IN}in`);
  }
  return inches;
}

function readMargins(margin: NonNullable<GenerateOptions['margin']>): Margins {
  if (typeof margin === 'number') return expandSides([margin * CSS_PIXEL_IN]);
  if (typeof margin === 'string') return readShorthand(margin);
  const side = (name: keyof Margins) => {
    const length = margin[name] ?? '0.5in';
    return typeof length === 'number' ? length * CSS_PIXEL_IN : toInches(`options.margin.${name}`, length);
  };
  return { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') };
}

/** Reads one to four lengths as in the CSS property `margin`. */
function readShorthand(margin: string): Margins {
  const lengths = margin.trim().split(/\s+/).map(parseLength);
  const inches = lengths.filter((length) => length !== undefined);
  if (inches.length === 0 || inches.length < lengths.length || inches.length > 4)
    throw invalid(
      'options.margin',
      'must be one to four lengths in px, in, cm, mm, pt or pc, such as "0.5in" or "1in 2cm", and not negative',
    );
  return expandSides(inches);
}

/** Assigns one to four values to the sides as CSS does. */
function expandSides([top = 0, right = top, bottom = top, left = right]: number[]): Margins {
  return { top, right, bottom, left };
}

/** Reads a length. A number without a unit is in CSS pixels of 1/96 in, as in other print APIs. */
function toInches(path: string, length: string): number {
  const inches = parseLength(length.trim());
  if (inches === undefined)
    throw invalid(path, 'must be a length in px, in, cm, mm, pt or pc, such as "0.5in", and not negative');
  return inches;
}

function parseLength(length: string): number | undefined {
  const [, amount, unit = 'px'] = /^(\d{1,6}(?:\.\d{1,6})?)(px|in|cm|mm|pt|pc)?$/.exec(length) ?? [];
  const factor = INCHES[unit];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

function requireRoom(setup: PrintSetup): void {
  const { widthIn, heightIn } = paperSize(setup);
  const { top, right, bottom, left } = setup.marginsIn;
  if (widthIn - left - right < MIN_CONTENT_IN || heightIn - top - bottom < MIN_CONTENT_IN) {
    throw invalid(
      'options.margin',
      `leaves no room: the paper is ${widthIn.toFixed(2)}in wide and ${heightIn.toFixed(2)}in high`,
      'NO_ROOM',
    );
  }
}
