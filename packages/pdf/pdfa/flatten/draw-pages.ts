import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { fileURLToPath } from 'node:url';

/** A drawn picture: four bytes a pixel (blue, green, red, and one without meaning), rows from the top. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** What part of a page is drawn: pixels from the left and top of the page at its size, and how many. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pixels with no alpha, in the order that PDFium draws quickest. */
const BGRX = 3;
const WHITE = 0xff_ff_ff_ff;
const FOR_PRINT = 0x800;
const NO_SMOOTH_STEPS = 0;

/** Thrown when PDFium cannot draw a page. */
export class DrawingError extends Error {
  override name = 'DrawingError';
}

let loaded: Promise<WrappedPdfiumModule> | undefined;

/** Loads PDFium, once a thread. Its memory grows to what the largest file and picture need and stays. */
async function load(): Promise<WrappedPdfiumModule> {
  const file = Bun.file(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const pdfium = await init({ wasmBinary: await file.arrayBuffer() });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** Draws pages of a PDF with PDFium. One picture at a time is in its memory. Dispose of it to free the file's. */
export class PageDrawing implements Disposable {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #file: number;
  readonly #document: number;
  #page: { index: number; handle: number } | undefined;

  private constructor(pdfium: WrappedPdfiumModule, file: number, document: number) {
    this.#pdfium = pdfium;
    this.#file = file;
    this.#document = document;
  }

  /** Opens a PDF. @throws {DrawingError} when PDFium cannot. */
  static async open(pdf: Uint8Array): Promise<PageDrawing> {
    const pdfium = await (loaded ??= load());
    const file = pdfium.pdfium.wasmExports.malloc(pdf.length);
    memoryOf(pdfium).set(pdf, file);
    const document = pdfium.FPDF_LoadMemDocument(file, pdf.length, '');
    if (document !== 0) return new PageDrawing(pdfium, file, document);
    pdfium.pdfium.wasmExports.free(file);
    throw new DrawingError(`PDFium does not open the file: ${pdfium.FPDF_GetLastError()}`);
  }

  /**
   * Draws a part of a page on white, without annotations. `size` is that of the whole page in pixels.
   * @throws {DrawingError} when PDFium cannot.
   */
  draw(page: number, size: { width: number; height: number }, part: Part): Picture {
    try {
      return this.#drawOpened(this.#openPage(page), size, part);
    } catch (error) {
      if (error instanceof DrawingError) throw error;
      // What trapped has left its memory in disorder: the next document gets a fresh one.
      loaded = undefined;
      throw new DrawingError('PDFium failed at a page', { cause: error });
    }
  }

  /** One page is open at a time: content is read when it is opened. */
  #openPage(index: number): number {
    if (this.#page?.index === index) return this.#page.handle;
    this.#closePage();
    const handle = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (handle === 0) throw new DrawingError('PDFium does not open a page');
    this.#page = { index, handle };
    return handle;
  }

  #closePage(): void {
    if (this.#page) this.#pdfium.FPDF_ClosePage(this.#page.handle);
    this.#page = undefined;
  }

  #drawOpened(
    page: number,
    size: { width: number; height: number },
    { left, top, width, height }: Part,
  ): Picture {
    const pdfium = this.#pdfium;
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
    if (bitmap === 0) throw new DrawingError('PDFium has no memory for a picture');
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(
        bitmap,
        page,
        -left,
        -top,
        size.width,
        size.height,
        NO_SMOOTH_STEPS,
        FOR_PRINT,
      );
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      // Four bytes a pixel leave no gap behind a row.
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

/** The memory as it is now: it is another object after it has grown. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as typeof pdfium & { HEAPU8: Uint8Array }).HEAPU8;
}
