import pixelmatch from 'pixelmatch';
import { InputFault, RenderingError } from '../objects/index.ts';
import { PageRenderer, type Bitmap } from '../images/page-renderer.ts';
import { pixelSizeOf, type PixelSize } from '../images/pixel-size.ts';
import { loadSharp } from '../images/sharp.ts';
import { type PdfiumDocument } from '../pdfium/pdfium-document.ts';

/** The settings of a comparison. */
export interface ComparisonRequest {
  dpi: number;
  /** The largest difference of two colours that counts as equal, from 0 to 1 (black and white). */
  tolerance: number;
}

/** The comparison of two pages with the same number. */
export interface PageComparison {
  /** The number of the page, from 1. */
  page: number;
  equal: boolean;
  /** The share of the pixels that differ. */
  changedFraction: number;
  /** The index of the document that has the page, if the other is shorter. */
  onlyIn?: 0 | 1;
  /** A PNG that marks the differences in red on a pale copy of the page in the first document. */
  image?: Uint8Array;
}

/**
 * The maximum size of a page. Two pages, two aligned copies and the marks can be in memory at a time, with
 * four bytes for each pixel.
 */
const MAX_PAGE_PIXELS = 12_000_000;
/** The maximum size of all pages of both documents together: 1,550 pages of A4 at 100 dpi. */
const MAX_TOTAL_PIXELS = 1_500_000_000;
/**
 * The maximum size of the area that two aligned pages cover together. It is larger than both if one page is
 * wide and the other tall.
 */
const MAX_ALIGNED_PIXELS = 4 * MAX_PAGE_PIXELS;
const MAX_IMAGES = 100;
const MAX_IMAGE_BYTES = 64_000_000;
/** Sets the fourth byte of a pixel. */
const OPAQUE = 0xff_00_00_00;
const WHITE = 0xff_ff_ff_ff;
const BLACK = 0xff_00_00_00;
const RED = 0xff_00_00_ff;

/**
 * Compares the pages of two documents as a viewer shows them. Pages of different sizes are aligned at the
 * upper left corner, and the area that only one of them covers counts as different. The first 100 pages that
 * differ get an image, until the images would have more than 64 MB in total.
 * @throws {InputFault} for `dpi` if the pages have too many pixels, and for `pdfs[0]` or `pdfs[1]` if a page
 * cannot be drawn.
 */
export async function compareDocuments(
  documents: readonly [PdfiumDocument, PdfiumDocument],
  { dpi, tolerance }: ComparisonRequest,
): Promise<PageComparison[]> {
  const [first, second] = documents;
  const counts = documents.map(({ pageCount }) => pageCount);
  const budget = { pixels: MAX_TOTAL_PIXELS, images: MAX_IMAGES, imageBytes: MAX_IMAGE_BYTES };
  const draw = (index: 0 | 1, page: number) =>
    forDocument(index, () => drawPage(index === 0 ? first : second, page, { dpi, budget }));
  const results: PageComparison[] = [];
  for (let page = 0; page < Math.max(...counts); page += 1) {
    const onlyIn = page >= first.pageCount ? 1 : page >= second.pageCount ? 0 : undefined;
    if (onlyIn !== undefined) {
      results.push({ page: page + 1, equal: false, changedFraction: 1, onlyIn });
      continue;
    }
    const { changed, size, marked } = comparePixels(draw(0, page), draw(1, page), {
      page,
      tolerance,
      marks: budget.images > 0,
    });
    const result: PageComparison = {
      page: page + 1,
      equal: changed === 0,
      changedFraction: changed / (size.width * size.height),
    };
    results.push(result);
    if (changed === 0 || !marked) continue;
    const image = await encode(marked, size);
    if (image.length > budget.imageBytes) {
      // Make no further images, even smaller ones, so that only the last pages that differ have none.
      budget.images = 0;
      continue;
    }
    budget.images -= 1;
    budget.imageBytes -= image.length;
    result.image = image;
  }
  return results;
}

function forDocument<T>(index: 0 | 1, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RenderingError ? new InputFault(`pdfs[${index}]`, error.message) : error;
  }
}

function drawPage(
  document: PdfiumDocument,
  page: number,
  { dpi, budget }: { dpi: number; budget: { pixels: number } },
): Bitmap {
  const size = pixelSizeOf(document, page, { dpi, maxPixels: MAX_PAGE_PIXELS });
  budget.pixels -= size.width * size.height;
  if (budget.pixels < 0)
    throw new InputFault(
      'dpi',
      `makes the pages of both PDFs together larger than ${MAX_TOTAL_PIXELS} pixels; send a lower value`,
    );
  return PageRenderer.of(document).render(page, size, { left: 0, top: 0, ...size }, 'viewer', 'rgb');
}

/** Counts the pixels that differ. With `marks`, also marks them on a pale copy of `a`. */
function comparePixels(
  a: Bitmap,
  b: Bitmap,
  { page, tolerance, marks }: { page: number; tolerance: number; marks: boolean },
): { changed: number; size: PixelSize; marked: Uint8Array | undefined } {
  const size = { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
  if (size.width * size.height > MAX_ALIGNED_PIXELS)
    throw new InputFault(
      'dpi',
      `makes page ${page + 1} larger than ${MAX_ALIGNED_PIXELS} pixels when both PDFs are aligned; send a lower value`,
    );
  const shared = { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
  // Outside the area that both pages cover, one bitmap is white and the other black.
  const first = fit(a, { size, shared, fill: WHITE });
  const second = fit(b, { size, shared, fill: BLACK });
  const marked = marks ? new Uint8Array(first.length) : undefined;
  const { width, height } = size;
  const options = { threshold: tolerance, includeAA: true };
  const counted = pixelmatch(first, second, marked, width, height, options);
  const isSameSize = shared.width === width && shared.height === height;
  const outside = width * height - shared.width * shared.height;
  // With a tolerance of 1, black and white count as equal.
  const changed = isSameSize ? counted : Math.max(counted, outside);
  if (marked && !isSameSize) markOutside(marked, size, shared);
  return { changed, size, marked };
}

/** Copies a bitmap to opaque pixels of the given size, and fills the rest. */
function fit(
  { width, pixels }: Bitmap,
  { size, shared, fill }: { size: PixelSize; shared: PixelSize; fill: number },
): Uint8Array {
  const source = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
  const target = new Uint32Array(size.width * size.height).fill(fill);
  for (let y = 0; y < shared.height; y += 1)
    for (let x = 0; x < shared.width; x += 1)
      // PDFium leaves the fourth byte of a pixel undefined.
      target[y * size.width + x] = (source[y * width + x] ?? 0) | OPAQUE;
  return new Uint8Array(target.buffer);
}

function markOutside(marked: Uint8Array, size: PixelSize, shared: PixelSize): void {
  const pixels = new Uint32Array(marked.buffer);
  for (let y = 0; y < size.height; y += 1)
    pixels.fill(RED, y * size.width + (y < shared.height ? shared.width : 0), (y + 1) * size.width);
}

async function encode(pixels: Uint8Array, { width, height }: PixelSize): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  return image.removeAlpha().png({ compressionLevel: 6 }).toBuffer();
}
