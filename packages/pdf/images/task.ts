import type { Result } from '../input.ts';
import { PageRenderer, RenderingError } from './page-renderer.ts';
import { bmpOf } from './bmp.ts';

const POINTS_PER_INCH = 72;
const OPAQUE = 0xff_00_00_00;

/** A page to draw. */
export interface PageImageRequest {
  pdf: Uint8Array;
  /** The index of the page, from 0. */
  page: number;
  dpi: number;
  /** The largest width and height in pixels. A larger page is drawn at a lower resolution. */
  maxSidePx: number;
}

/**
 * Draws a page on white as a PNG, without annotations, returning failures as results for callers in another process. The code is
 * `INVALID_INPUT`.
 */
export async function drawPage({ pdf, page, dpi, maxSidePx }: PageImageRequest): Promise<Result<Uint8Array>> {
  try {
    using renderer = await PageRenderer.open(pdf);
    const { widthPt, heightPt } = renderer.sizeOf(page);
    const scale = Math.min(dpi / POINTS_PER_INCH, maxSidePx / widthPt, maxSidePx / heightPt);
    const toPixels = (points: number) => Math.min(maxSidePx, Math.max(1, Math.round(points * scale)));
    const size = { width: toPixels(widthPt), height: toPixels(heightPt) };
    const bitmap = renderer.render(page, size, { left: 0, top: 0, ...size });
    makeOpaque(bitmap.pixels);
    return { ok: true, value: await new Bun.Image(bmpOf(bitmap)).png().bytes() };
  } catch (error) {
    if (!(error instanceof RenderingError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}

/** Sets the unused byte of each pixel, which a PNG would otherwise show as transparency. */
function makeOpaque({ buffer, byteOffset, length }: Uint8Array): void {
  const colours = new Uint32Array(buffer, byteOffset, length >> 2);
  for (let at = 0; at < colours.length; at += 1) colours[at] = (colours[at] ?? 0) | OPAQUE;
}
