import type { PrintSetup } from '../print/print-options.ts';
import type { DocumentSettings, PageSettings } from './settings.ts';

const MILLIMETRES_PER_INCH = 25.4;
/**
 * The size of the content of wkhtmltopdf unless `--disable-smart-shrinking` is given: WebKit lays a page out
 * 1.25 times as wide as the paper between its margins (`printingMinimumShrinkFactor`), and shrinks it.
 */
const SHRUNK_SCALE = 0.8;
/** WebKit shrinks wide content to half its size at most (`printingMaximumShrinkFactor`). */
const MIN_SHRINK = 0.5;

/** The paper and its margins in millimetres. */
export interface Sheet {
  width: number;
  height: number;
  margins: { top: number; right: number; bottom: number; left: number };
}

/** The space that the header and the footer of a page need, in millimetres. */
export interface BandHeights {
  header: number;
  footer: number;
}

const DEFAULT_MARGIN = 10;

/** Returns the sheet of a page. A margin that is not given has room for the header or footer. */
export function sheetOf({ paper, landscape, margins }: DocumentSettings, bands: BandHeights): Sheet {
  const [width, height] = landscape ? [paper.height, paper.width] : [paper.width, paper.height];
  return {
    width,
    height,
    margins: {
      top: margins.top ?? Math.max(DEFAULT_MARGIN, bands.header),
      right: margins.right,
      bottom: margins.bottom ?? Math.max(DEFAULT_MARGIN, bands.footer),
      left: margins.left,
    },
  };
}

/** The size of a page's content relative to its CSS size. */
export function scaleOf({ zoom, shrinks }: Pick<PageSettings, 'zoom' | 'shrinks'>): number {
  return shrinks ? SHRUNK_SCALE * zoom : zoom;
}

/** Returns the scale at which content of a width in CSS pixels fits, down to WebKit's limit. */
export function shrunkScale(
  scale: number,
  { contentWidth, layoutWidth }: { contentWidth: number; layoutWidth: number },
): number {
  return contentWidth <= layoutWidth
    ? scale
    : scale * Math.max(MIN_SHRINK / SHRUNK_SCALE, layoutWidth / contentWidth);
}

/** Returns the width and height between the margins in CSS pixels at a scale. */
export function windowOf(
  { width, height, margins }: Sheet,
  scale: number,
): { width: number; height: number } {
  const pixels = (millimetres: number) =>
    Math.max(1, Math.round(((millimetres / MILLIMETRES_PER_INCH) * 96) / scale));
  return {
    width: pixels(width - margins.left - margins.right),
    height: pixels(height - margins.top - margins.bottom),
  };
}

/** Tells whether the margins leave room for text. */
export function hasRoom({ width, height, margins }: Sheet): boolean {
  const min = MILLIMETRES_PER_INCH / 4;
  return width - margins.left - margins.right >= min && height - margins.top - margins.bottom >= min;
}

/** Returns how to print a page on a sheet. */
export function printSetupOf(
  sheet: Sheet,
  page: Pick<PageSettings, 'hasBackground' | 'media'>,
  scale: number,
): PrintSetup {
  const inches = (millimetres: number) => millimetres / MILLIMETRES_PER_INCH;
  const { top, right, bottom, left } = sheet.margins;
  return {
    widthIn: inches(sheet.width),
    heightIn: inches(sheet.height),
    landscape: false,
    marginsIn: { top: inches(top), right: inches(right), bottom: inches(bottom), left: inches(left) },
    printBackground: page.hasBackground,
    scale,
    media: page.media,
    preferCssPageSize: false,
    outline: true,
    header: undefined,
    footer: undefined,
  };
}
