import { InputFault } from '../objects/index.ts';
import type { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { PageRenderer, type Bitmap } from './page-renderer.ts';
import { pixelSizeOf, type PixelSize } from './pixel-size.ts';
import { loadSharp, type Sharp } from './sharp.ts';
import { TEST_XMP } from './test-xmp.ts';

/** The format of page images. */
export type PageImageType = 'png' | 'jpeg' | 'webp';

/** The pages to draw, and the settings of their images. */
export interface DrawPagesRequest {
  /** The indexes of the pages, from 0, in the order of the images. A page may be repeated. */
  pages: readonly number[];
  type: PageImageType;
  dpi: number;
  /** Whether the metadata of the images says that they were made for tests. */
  isTest?: boolean | undefined;
}

/** The image of a page. */
export interface PageImage {
  /** The index of the page, from 0. */
  page: number;
  image: Uint8Array;
}

/** A bitmap of this size takes 96 MB. */
const MAX_PAGE_PIXELS = 24_000_000;
/** The number of pixels of 1,500 pages of A4 at 100 dpi. */
const MAX_TOTAL_PIXELS = 1_500_000_000;
/** One page is drawn while the previous page is encoded. */
const MAX_ENCODING = 2;

/**
 * Draws pages on white as a viewer shows them, with annotations, one at a time.
 * @throws {InputFault} for `dpi` or `pages` if a page or all pages together have too many pixels.
 * @throws {RenderingError} if PDFium cannot draw a page.
 */
export async function* drawPages(
  document: PdfiumDocument,
  { pages, type, dpi, isTest = false }: DrawPagesRequest,
): AsyncGenerator<PageImage> {
  const sizes = measurePages(document, pages, dpi);
  const sharp = await loadSharp();
  const renderer = PageRenderer.of(document);
  const encoding: Promise<PageImage>[] = [];
  for (const { page, size } of sizes) {
    const bitmap = renderer.render(page, size, { left: 0, top: 0, ...size }, 'viewer', 'rgb');
    const image = encode(sharp, bitmap, { type, dpi, isTest }).then((bytes) => ({ page, image: bytes }));
    // An encoding error is thrown when the image is awaited.
    image.catch(() => {});
    encoding.push(image);
    const first = encoding.length >= MAX_ENCODING ? encoding.shift() : undefined;
    if (first) yield await first;
  }
  for (const image of encoding) yield await image;
}

function measurePages(
  document: PdfiumDocument,
  pages: readonly number[],
  dpi: number,
): { page: number; size: PixelSize }[] {
  let total = 0;
  return pages.map((page) => {
    const size = pixelSizeOf(document, page, { dpi, maxPixels: MAX_PAGE_PIXELS });
    total += size.width * size.height;
    if (total > MAX_TOTAL_PIXELS)
      throw new InputFault(
        'pages',
        `have more than ${MAX_TOTAL_PIXELS} pixels; send fewer pages or a lower dpi`,
      );
    return { page, size };
  });
}

async function encode(
  sharp: Sharp,
  { width, height, pixels }: Bitmap,
  { type, dpi, isTest }: { type: PageImageType; dpi: number; isTest: boolean },
): Promise<Uint8Array> {
  const drawn = sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    // `withMetadata` would convert the pixels to a colour profile, which takes longer than encoding them.
    .withDensity(dpi);
  const image = isTest ? drawn.withXmp(TEST_XMP) : drawn;
  switch (type) {
    case 'png':
      return image.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      // Optimised Huffman tables would save 5 % of the size and take as long as the rest.
      return image.jpeg({ quality: 85, optimiseCoding: false }).toBuffer();
    case 'webp':
      return image.webp({ quality: 85, effort: 2 }).toBuffer();
  }
}
