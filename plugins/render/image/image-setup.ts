import { invalid } from '../../../src/plugin.ts';
import { toPrintSetup, type PrintLimits, type PrintSetup } from '../print/print-options.ts';
import { MAX_MEGAPIXELS, MAX_SIDE_PX } from './limits.ts';
import type { ImageFormat, ImageOptions } from './schemas.ts';

/** A rectangle of a document, in CSS pixels from its upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The window of a document, and the part of the document that becomes an image. */
export interface ImageSetup {
  format: Exclude<ImageFormat, 'zpl'>;
  /** From 1 to 100; `undefined` for a PNG. */
  quality: number | undefined;
  /** The size of the window in CSS pixels. */
  window: { width: number; height: number };
  /** The number of pixels per CSS pixel. */
  scale: number;
  transparent: boolean;
  /** A rectangle, the whole document, or the first element that matches a selector. */
  area: Box | 'document' | { selector: string };
}

/** Labels for a printer in place of an image. */
export interface LabelSetup {
  format: 'zpl';
  /** The dots per inch of the printer. */
  dpi: number;
}

/**
 * An image with more pixels is large. A bitmap of this size takes 32 MB, and the browser may hold it three
 * times.
 */
const LARGE_PIXELS = 8_000_000;

const DEFAULT_QUALITY = 80;
const DEFAULT_DPI = 203;
/** The resolutions of label printers. */
const PRINTER_DPI: ReadonlySet<number> = new Set([DEFAULT_DPI, 300, 600]);

/** The options of images that show a window. Labels are printed pages. */
const WINDOW_OPTIONS = [
  'width',
  'height',
  'fullPage',
  'scale',
  'quality',
  'transparent',
  'clip',
  'selector',
] as const;

/**
 * Converts the options of a request.
 * @throws {AppError} VALIDATION_ERROR that names the option and its valid values.
 */
export function toImageSetup(options: ImageOptions): ImageSetup | LabelSetup {
  const { format = 'png', width = 1280, height = 720, scale = 1, transparent = false } = options;
  if (format === 'zpl') return toLabelSetup(options);
  if (options.dpi !== undefined) throw invalid('options.dpi', 'is only for zpl; other images take scale');
  if (options.quality !== undefined && format === 'png')
    throw invalid('options.quality', 'is only for jpeg and webp: a PNG has no quality');
  if (transparent && format === 'jpeg')
    throw invalid('options.transparent', 'is only for png and webp: a JPEG has no transparency');
  const setup: ImageSetup = {
    format,
    quality: format === 'png' ? undefined : (options.quality ?? DEFAULT_QUALITY),
    window: { width, height },
    scale,
    transparent,
    area: readArea(options, { x: 0, y: 0, width, height }),
  };
  const excess = findExcess(setup.window, scale);
  if (excess !== undefined) throw invalid('options.scale', `is too large: ${excess}`);
  if (options.clip) {
    const clipExcess = findExcess(options.clip, scale);
    if (clipExcess !== undefined) throw invalid('options.clip', `is too large: ${clipExcess}`);
  }
  return setup;
}

function toLabelSetup(options: ImageOptions): LabelSetup {
  for (const name of WINDOW_OPTIONS)
    if (options[name] !== undefined)
      throw invalid(`options.${name}`, 'has no effect on zpl, whose labels have the size of @page');
  const { dpi = DEFAULT_DPI } = options;
  if (!PRINTER_DPI.has(dpi)) throw invalid('options.dpi', 'must be 203, 300 or 600');
  return { format: 'zpl', dpi };
}

/** Converts the options that images and PDFs have in common. @throws {AppError} VALIDATION_ERROR */
export function toPageSetup(options: ImageOptions, limits: PrintLimits | undefined): PrintSetup {
  const isLabel = options.format === 'zpl';
  const { media = isLabel ? 'print' : 'screen' } = options;
  const { waitFor, strict, onAssetError, ignoreAssetHosts } = options;
  return toPrintSetup(
    {
      media,
      ...(isLabel && { margin: '0' }),
      ...(waitFor && { waitFor }),
      ...(strict !== undefined && { strict }),
      ...(onAssetError && { onAssetError }),
      ...(ignoreAssetHosts && { ignoreAssetHosts }),
    },
    limits,
  );
}

/**
 * Tells whether an image of a rectangle takes so much memory in the browser that only one such image may be
 * captured at a time.
 */
export function isLargeImage({ width, height }: Pick<Box, 'width' | 'height'>, scale: number): boolean {
  return width * height * scale ** 2 > LARGE_PIXELS;
}

/** Returns why an image of a rectangle would be too large; `undefined` when it is not. */
export function findExcess(
  { width, height }: Pick<Box, 'width' | 'height'>,
  scale: number,
): string | undefined {
  const [widthPx, heightPx] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  if (widthPx <= MAX_SIDE_PX && heightPx <= MAX_SIDE_PX && widthPx * heightPx <= MAX_MEGAPIXELS * 1_000_000)
    return undefined;
  return `the image would have ${widthPx} x ${heightPx} pixels; an image has at most ${MAX_SIDE_PX} pixels per side and ${MAX_MEGAPIXELS} megapixels`;
}

function readArea({ clip, selector, fullPage, height }: ImageOptions, window: Box): ImageSetup['area'] {
  if (clip && selector !== undefined) throw invalid('options.clip', 'cannot be combined with selector');
  if (clip && fullPage) throw invalid('options.clip', 'cannot be combined with fullPage');
  if (selector !== undefined && fullPage)
    throw invalid('options.selector', 'cannot be combined with fullPage');
  if (clip) return clip;
  if (selector !== undefined) return { selector };
  return (fullPage ?? height === undefined) ? 'document' : window;
}
