import type { Result } from '../input.ts';
import { InputFault, RenderingError } from '../objects/index.ts';
import { openReadable } from '../pdfium/open-readable.ts';
import { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { PageRenderer } from './page-renderer.ts';
import { POINTS_PER_INCH, type PixelSize } from './pixel-size.ts';
import { bmpOf } from './bmp.ts';

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

/** A page to draw at a given width. */
export interface PageWidthRequest {
  /** The bytes of a PDF, or its path. */
  pdf: Uint8Array | { path: string };
  /** The index of the page, from 0. */
  page: number;
  widthPx: number;
  /** The largest number of pixels. A page that needs more is drawn narrower. */
  maxPixels: number;
}

/**
 * Draws a page on white as a PNG, without annotations. Returns a failure as a value with the code
 * `INVALID_INPUT`, because an exception does not cross the process boundary.
 */
export async function drawPage({ pdf, page, dpi, maxSidePx }: PageImageRequest): Promise<Result<Uint8Array>> {
  return explainFailure(async () => {
    using renderer = await PageRenderer.open(pdf);
    const { widthPt, heightPt } = renderer.sizeOf(page);
    const scale = Math.min(dpi / POINTS_PER_INCH, maxSidePx / widthPt, maxSidePx / heightPt);
    const toPixels = (points: number) => Math.min(maxSidePx, Math.max(1, Math.round(points * scale)));
    return toPng(renderer, page, { width: toPixels(widthPt), height: toPixels(heightPt) }, 'print');
  });
}

/**
 * Draws a page like {@link drawPage}, but at a given width and with annotations. Returns `null` if the file
 * does not exist.
 */
export async function drawPageImage({
  pdf,
  page,
  widthPx,
  maxPixels,
}: PageWidthRequest): Promise<Result<Uint8Array | null>> {
  return explainFailure(async () => {
    using renderer = await openForPage(pdf, page);
    if (!renderer) return null;
    const { widthPt, heightPt } = renderer.sizeOf(page);
    const ratio = heightPt / widthPt;
    const width = Math.max(1, Math.min(widthPx, Math.floor(Math.sqrt(maxPixels / ratio))));
    const height = Math.max(1, Math.min(Math.round(width * ratio), Math.floor(maxPixels / width)));
    return toPng(renderer, page, { width, height }, 'viewer');
  });
}

/**
 * Opens a file to draw a page with its annotations. Parses the file only if the page has annotations, because
 * PDFium does not draw all of them. PDFium opens any other file directly.
 */
async function openForPage(pdf: PageWidthRequest['pdf'], page: number): Promise<PageRenderer | null> {
  const document = await open(pdf);
  if (!document?.hasAnnotations(page)) return document && PageRenderer.of(document);
  const readable = await readBytes(pdf)
    .then((raw) => openReadable({ raw }, 'pdf'))
    .catch((error: unknown) => {
      // A file that is too large or damaged is drawn as PDFium reads it.
      if (error instanceof InputFault || error instanceof RenderingError || isMissing(error)) return null;
      throw error;
    });
  if (!readable) return PageRenderer.of(document);
  document[Symbol.dispose]();
  return PageRenderer.of(readable);
}

async function open(pdf: PageWidthRequest['pdf']): Promise<PdfiumDocument | null> {
  if (pdf instanceof Uint8Array) return PdfiumDocument.open(pdf);
  return PdfiumDocument.openFile(pdf.path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

async function readBytes(pdf: PageWidthRequest['pdf']): Promise<Uint8Array> {
  return pdf instanceof Uint8Array ? pdf : Bun.file(pdf.path).bytes();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function toPng(
  renderer: PageRenderer,
  page: number,
  size: PixelSize,
  appearance: 'print' | 'viewer',
): Promise<Uint8Array> {
  const bitmap = renderer.render(page, size, { left: 0, top: 0, ...size }, appearance);
  makeOpaque(bitmap.pixels);
  return new Bun.Image(bmpOf(bitmap)).png().bytes();
}

async function explainFailure<T>(draw: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await draw() };
  } catch (error) {
    if (!(error instanceof RenderingError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}

/** Makes each pixel opaque. Otherwise the unused byte of the pixels would be their alpha in a PNG. */
function makeOpaque({ buffer, byteOffset, length }: Uint8Array): void {
  const colours = new Uint32Array(buffer, byteOffset, length >> 2);
  for (let at = 0; at < colours.length; at += 1) colours[at] = (colours[at] ?? 0) | OPAQUE;
}
