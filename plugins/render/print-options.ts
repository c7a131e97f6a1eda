import { invalid } from '../../src/plugin.ts';
import { FORMATS } from './formats.ts';
import type { GenerateOptions } from './schemas.ts';

/** The layout of a document on paper. Lengths are in inches, Chromium's unit. */
export interface PrintSetup {
  widthIn: number;
  heightIn: number;
  landscape: boolean;
  marginsIn: Margins;
  printBackground: boolean;
  /** True when the request has neither format nor orientation; then `@page { size }` in the document decides. */
  preferCssPageSize: boolean;
  /** HTML with Chromium's classes for page numbers. */
  header: string | undefined;
  footer: string | undefined;
  /** A script of the service that runs before printing. Only for plain pages, whose main world no document can modify. */
  prepare?: string | undefined;
}

/** The margins in inches. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const INCHES: Readonly<Record<string, number>> = {
  px: 1 / 96,
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  pt: 1 / 72,
  pc: 1 / 6,
};

/** The side of a PDF page is at most 14,400 units of 1/72 in (ISO 32000-1 annex C.2). */
const MAX_SIDE_IN = 200;
const MIN_SIDE_IN = 0.5;
/** The least space between the margins. Less cannot hold text. */
const MIN_CONTENT_IN = 0.25;

/** Converts the options of a request. @throws {AppError} VALIDATION_ERROR that names the option and its valid values. */
export function toPrintSetup(options: GenerateOptions = {}): PrintSetup {
  const [widthIn, heightIn] = readFormat(options.format ?? 'A4');
  const landscape = options.orientation === 'landscape';
  const marginsIn = readMargins(options.margin ?? '0.5in');
  const setup: PrintSetup = {
    widthIn,
    heightIn,
    landscape,
    marginsIn,
    printBackground: options.printBackground ?? true,
    preferCssPageSize: options.format === undefined && options.orientation === undefined,
    header: options.header || undefined,
    footer: options.footer || undefined,
  };
  requireRoom(setup);
  return setup;
}

/** Returns the parameters of Chromium's `Page.printToPDF`. */
export function printCommand({ marginsIn, header, footer, ...setup }: PrintSetup) {
  return {
    paperWidth: setup.widthIn,
    paperHeight: setup.heightIn,
    landscape: setup.landscape,
    marginTop: marginsIn.top,
    marginRight: marginsIn.right,
    marginBottom: marginsIn.bottom,
    marginLeft: marginsIn.left,
    printBackground: setup.printBackground,
    preferCSSPageSize: setup.preferCssPageSize,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: header || '<span></span>',
    footerTemplate: footer || '<span></span>',
    generateTaggedPDF: false,
  };
}

/** Returns the size of the paper in its orientation. */
export function paperSize({ widthIn, heightIn, landscape }: PrintSetup): {
  widthIn: number;
  heightIn: number;
} {
  return landscape ? { widthIn: heightIn, heightIn: widthIn } : { widthIn, heightIn };
}

function readFormat(format: NonNullable<GenerateOptions['format']>): readonly [number, number] {
  if (typeof format === 'string') return FORMATS[format];
  return [readSide('options.format.width', format.width), readSide('options.format.height', format.height)];
}

function readSide(path: string, length: string): number {
  const inches = toInches(path, length);
  if (inches < MIN_SIDE_IN || inches > MAX_SIDE_IN) {
    throw invalid(path, `must be from ${MIN_SIDE_IN}in to ${MAX_SIDE_IN}in`);
  }
  return inches;
}

function readMargins(margin: NonNullable<GenerateOptions['margin']>): Margins {
  if (typeof margin === 'string') {
    const all = toInches('options.margin', margin);
    return { top: all, right: all, bottom: all, left: all };
  }
  const side = (name: keyof Margins) => toInches(`options.margin.${name}`, margin[name] ?? '0.5in');
  return { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') };
}

/** Reads a length. A number without a unit is in CSS pixels of 1/96 in, as in other print APIs. */
function toInches(path: string, length: string): number {
  const [, amount, unit = 'px'] = /^(\d{1,6}(?:\.\d{1,6})?)(px|in|cm|mm|pt|pc)?$/.exec(length.trim()) ?? [];
  const factor = INCHES[unit];
  if (amount === undefined || factor === undefined) {
    throw invalid(path, 'must be a length in px, in, cm, mm, pt or pc, such as "0.5in", and not negative');
  }
  return Number(amount) * factor;
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
