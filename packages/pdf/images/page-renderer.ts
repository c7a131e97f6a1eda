import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A bitmap with four bytes per pixel (blue, green, red, unused) and rows from top to bottom. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A rectangle of pixels, relative to the left and top of the rendered page. */
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
const NO_ROTATION = 0;
/** The error code of a file that does not open without a password. */
const PASSWORD_ERROR = 4;

/** Thrown when PDFium cannot render a page. */
export class RenderingError extends Error {
  override name = 'RenderingError';
}

let loaded: Promise<WrappedPdfiumModule> | undefined;

/** Loads PDFium, once per thread. Its memory grows with the largest file and bitmap and never shrinks. */
async function load(): Promise<WrappedPdfiumModule> {
  const file = Bun.file(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const pdfium = await init({ wasmBinary: await file.arrayBuffer() });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** Renders pages of a PDF with PDFium, one bitmap at a time. Dispose of it to free the memory of the file. */
export class PageRenderer implements Disposable {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #file: number;
  readonly #document: number;
  #page: { index: number; handle: number } | undefined;

  private constructor(pdfium: WrappedPdfiumModule, file: number, document: number) {
    this.#pdfium = pdfium;
    this.#file = file;
    this.#document = document;
  }

  /** Opens a PDF. @throws {RenderingError} if PDFium cannot open it. */
  static async open(pdf: Uint8Array): Promise<PageRenderer> {
    const pdfium = await (loaded ??= load());
    const file = pdfium.pdfium.wasmExports.malloc(pdf.length);
    memoryOf(pdfium).set(pdf, file);
    return PageRenderer.#load(pdfium, file, pdf.length);
  }

  /**
   * Opens a PDF on the disk. It is read into the memory of PDFium only.
   * @throws {RenderingError} if PDFium cannot open it. @throws the error of the file system.
   */
  static async openFile(path: string): Promise<PageRenderer> {
    const pdfium = await (loaded ??= load());
    const descriptor = openSync(path, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const file = pdfium.pdfium.wasmExports.malloc(size);
      if (file === 0) throw new RenderingError('PDFium has no memory for the file');
      for (let read = 0; read < size;) {
        const count = readSync(descriptor, memoryOf(pdfium), file + read, size - read, read);
        if (count === 0) throw new RenderingError('the file was truncated while it was read');
        read += count;
      }
      return PageRenderer.#load(pdfium, file, size);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Opens the PDF at an address in PDFium's memory, which the document uses until it is closed. */
  static #load(pdfium: WrappedPdfiumModule, file: number, size: number): PageRenderer {
    const document = pdfium.FPDF_LoadMemDocument(file, size, '');
    if (document !== 0) return new PageRenderer(pdfium, file, document);
    pdfium.pdfium.wasmExports.free(file);
    const error = pdfium.FPDF_GetLastError();
    if (error === PASSWORD_ERROR) throw new RenderingError('needs a password');
    throw new RenderingError(`PDFium cannot open the file (error ${error})`);
  }

  /** Returns the size of a page as it is displayed, in points. @throws {RenderingError} if PDFium cannot open the page. */
  sizeOf(page: number): { widthPt: number; heightPt: number } {
    const handle = this.#openPage(page);
    return {
      widthPt: this.#pdfium.FPDF_GetPageWidthF(handle),
      heightPt: this.#pdfium.FPDF_GetPageHeightF(handle),
    };
  }

  /**
   * Renders a part of a page on white: as it is printed but without annotations, or as a viewer shows it, with annotations. `size` is the
   * size of the whole page in pixels.
   * @throws {RenderingError} if PDFium cannot render it.
   */
  render(
    page: number,
    size: { width: number; height: number },
    area: PixelArea,
    appearance: 'print' | 'viewer' = 'print',
  ): Bitmap {
    const flags = appearance === 'print' ? FOR_PRINT : WITH_ANNOTATIONS;
    try {
      return this.#renderOpened(this.#openPage(page), size, { ...area, flags });
    } catch (error) {
      if (error instanceof RenderingError) throw error;
      // A trap leaves the memory of PDFium inconsistent: load it again for the next document.
      loaded = undefined;
      throw new RenderingError('PDFium failed to render a page', { cause: error });
    }
  }

  /** Opens a page and keeps it open for further parts, because PDFium parses the content when it opens a page. */
  #openPage(index: number): number {
    if (this.#page?.index === index) return this.#page.handle;
    this.#closePage();
    const handle = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (handle === 0) throw new RenderingError('PDFium cannot open a page');
    this.#page = { index, handle };
    return handle;
  }

  #closePage(): void {
    if (this.#page) this.#pdfium.FPDF_ClosePage(this.#page.handle);
    this.#page = undefined;
  }

  #renderOpened(
    page: number,
    size: { width: number; height: number },
    { left, top, width, height, flags }: PixelArea & { flags: number },
  ): Bitmap {
    const pdfium = this.#pdfium;
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
    this.#closePage();
    this.#pdfium.FPDF_CloseDocument(this.#document);
    this.#pdfium.pdfium.wasmExports.free(this.#file);
  }
}

/** Returns the current memory object, which changes whenever the memory grows. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as typeof pdfium & { HEAPU8: Uint8Array }).HEAPU8;
}
