import { InputFault } from '../objects/index.ts';
import type { PdfiumDocument } from '../pdfium/pdfium-document.ts';

export interface PixelSize {
  width: number;
  height: number;
}

export const POINTS_PER_INCH = 72;

/**
 * Returns the size in pixels of a page as displayed at a resolution. Rounds up like poppler, but ignores
 * floating-point errors.
 * @param limits the resolution, the maximum number of pixels of a page, and the resolutions that the caller
 *   may choose, which are all whole numbers when absent
 * @throws {InputFault} for `dpi` if the page has more than `maxPixels`
 */
export function pixelSizeOf(
  document: PdfiumDocument,
  page: number,
  { dpi, maxPixels, choices }: { dpi: number; maxPixels: number; choices?: readonly number[] },
): PixelSize {
  const { widthPt, heightPt } = document.sizeOf(page);
  const toPixels = (points: number) => Math.max(1, Math.ceil((points * dpi) / POINTS_PER_INCH - 0.001));
  const size = { width: toPixels(widthPt), height: toPixels(heightPt) };
  const pixels = size.width * size.height;
  if (pixels <= maxPixels) return size;
  const fitting = Math.max(1, Math.floor(dpi * Math.sqrt(maxPixels / pixels)));
  const best = choices ? choices.findLast((choice) => choice <= fitting) : fitting;
  const advice = best === undefined ? 'send a smaller page' : `send ${best}${choices ? '' : ' or less'}`;
  throw new InputFault('dpi', `makes page ${page + 1} larger than ${maxPixels} pixels; ${advice}`);
}
