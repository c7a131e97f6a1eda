import { RenderingError } from '../objects/index.ts';
import { guard, memoryOf, PdfiumDocument } from '../pdfium/pdfium-document.ts';

/**
 * A bitmap with four bytes per pixel and rows from top to bottom. The bytes are blue, green, red (or red,
 * green, blue) and an unused byte.
 */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A rectangle of pixels, from the upper left corner of the rendered page. */
export interface PixelArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The pixel format without alpha that PDFium renders fastest. */
const BGRX = 3;
const WHITE = 0xff_ff_ff_ff;
const FOR_PRINT = 0x800;
const WITH_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const NO_ROTATION = 0;

/** Renders pages of a PDF with PDFium, one bitmap at a time. Dispose of it to free the memory of the file. */
export class PageRenderer implements Disposable {
  readonly #document: PdfiumDocument;

  private constructor(document: PdfiumDocument) {
    this.#document = document;
  }

  /** Opens a PDF. @throws {RenderingError} if PDFium cannot open it. */
  static async open(pdf: Uint8Array): Promise<PageRenderer> {
    return new PageRenderer(await PdfiumDocument.open(pdf));
  }

  /** Renders the pages of an open document. Disposing of the renderer also disposes of the document. */
  static of(document: PdfiumDocument): PageRenderer {
    return new PageRenderer(document);
  }

  /**
   * Returns the size of a page as it is displayed, in points.
   * @throws {RenderingError} if PDFium cannot open the page.
   */
  sizeOf(page: number): { widthPt: number; heightPt: number } {
    return this.#document.sizeOf(page);
  }

  /**
   * Renders a part of a page on white: as it is printed but without annotations (`print`), or as a viewer
   * shows it, with annotations and form fields (`viewer`), or as a viewer shows it without form fields
   * (`annotations`).
   * @param size the size of the whole page in pixels
   * @param order the order of the colour channels
   * @throws {RenderingError} if PDFium cannot render the page.
   */
  render(
    page: number,
    size: { width: number; height: number },
    area: PixelArea,
    appearance: 'print' | 'viewer' | 'annotations' = 'print',
    order: 'bgr' | 'rgb' = 'bgr',
  ): Bitmap {
    const flags = (appearance === 'print' ? FOR_PRINT : WITH_ANNOTATIONS) | (order === 'rgb' ? RED_FIRST : 0);
    // PDFium draws form fields only as part of the page.
    const open = () =>
      appearance === 'viewer' ? this.#document.openFlatPage(page) : this.#document.openPage(page);
    return guard(() => this.#renderOpened(open(), size, { ...area, flags }));
  }

  #renderOpened(
    page: number,
    size: { width: number; height: number },
    { left, top, width, height, flags }: PixelArea & { flags: number },
  ): Bitmap {
    const { pdfium } = this.#document;
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
    if (bitmap === 0) throw new RenderingError('PDFium cannot allocate a bitmap');
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, -left, -top, size.width, size.height, NO_ROTATION, flags);
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      // Rows of four-byte pixels need no padding.
      return { width, height, pixels: memoryOf(pdfium).slice(start, start + stride * height) };
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  [Symbol.dispose](): void {
    this.#document[Symbol.dispose]();
  }
}
