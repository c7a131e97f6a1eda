import { paperSize, type PrintSetup } from './print-options.ts';

/** Chromium's LayoutUnit: lengths are multiples of 1/64 CSS pixel. */
const UNITS_PER_PIXEL = 64;
const PIXELS_PER_POINT = 96 / 72;

/**
 * Keeps Chromium from rounding the scaled width up to the next pixel. It shortens a line of 800 pixels by
 * 1/64 pixel.
 */
const ROUNDING_ALLOWANCE = 2e-5;

/** Chromium refuses a smaller factor. */
const MIN_SCALE = 0.1;

/**
 * Returns the factor by which to scale a document so that a box of the full width fits between the margins.
 *
 * Chromium rounds the paper up and the margins down to whole points, lays the document out on the resulting
 * width rounded up to a whole CSS pixel, and then clips the page at the exact width. On A4 with margins of 20
 * mm, it lays out 646 pixels and shows 645.36, so two thirds of a border at the right edge are missing. With
 * a factor of 0.999, all 646 pixels are shown. The factor changes no line break, because the layout keeps its
 * width, and narrows the text by less than one pixel.
 *
 * The factor is the option `scale` for a document with `@page` rules, because their margins and sizes are not
 * known before Chromium applies them.
 */
export function contentScale(html: string, setup: PrintSetup): number {
  if (setup.hasExactLengths || /@page/i.test(html)) return setup.scale;
  const { left, right } = setup.marginsIn;
  const paper = Math.round(Math.ceil(paperSize(setup).widthIn * 72) * PIXELS_PER_POINT * UNITS_PER_PIXEL);
  const width = paper - marginUnits(left) - marginUnits(right);
  const scaled = width / setup.scale;
  const layoutWidth = Math.ceil(scaled / UNITS_PER_PIXEL) * UNITS_PER_PIXEL;
  return scaled === layoutWidth ? setup.scale : Math.max(MIN_SCALE, width / layoutWidth + ROUNDING_ALLOWANCE);
}

function marginUnits(inches: number): number {
  return Math.floor(Math.floor(inches * 72) * PIXELS_PER_POINT * UNITS_PER_PIXEL);
}
