import { RenderingError } from '../objects/index.ts';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The error code of a file that does not open without a password. */
const PASSWORD_ERROR = 4;
/** The mode of `FPDFPage_Flatten`, and its result if it changed the page. */
const FOR_DISPLAY = 0;
const FLATTENED = 1;

/** The annotation type `FPDF_ANNOT_LINK`. */
const LINK = 2;
const RECTANGLE_BYTES = 16;
const SIZE_BYTES = 8;

let loaded: Promise<WrappedPdfiumModule> | undefined;

/** Loads PDFium, once per thread. Its memory grows with the largest file and bitmap and never shrinks. */
async function load(): Promise<WrappedPdfiumModule> {
  const file = Bun.file(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const pdfium = await init({ wasmBinary: await file.arrayBuffer() });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** A PDF that is open in PDFium. Dispose of it to free the memory of the file. */
export class PdfiumDocument implements Disposable {
  readonly pdfium: WrappedPdfiumModule;
  readonly #file: number;
  readonly #document: number;
  #page: { index: number; handle: number; isFlat: boolean } | undefined;

  private constructor(pdfium: WrappedPdfiumModule, file: number, document: number) {
    this.pdfium = pdfium;
    this.#file = file;
    this.#document = document;
  }

  /** Opens a PDF. @throws {RenderingError} if PDFium cannot open it. */
  static async open(pdf: Uint8Array): Promise<PdfiumDocument> {
    const pdfium = await (loaded ??= load());
    const file = allocate(pdfium, pdf.length);
    memoryOf(pdfium).set(pdf, file);
    return PdfiumDocument.#load(pdfium, file, pdf.length);
  }

  /**
   * Opens a PDF on the disk. It is read into the memory of PDFium only.
   * @throws {RenderingError} if PDFium cannot open it. @throws the error of the file system.
   */
  static async openFile(path: string): Promise<PdfiumDocument> {
    const pdfium = await (loaded ??= load());
    const descriptor = openSync(path, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const file = allocate(pdfium, size);
      for (let read = 0; read < size;) {
        const count = readSync(descriptor, memoryOf(pdfium), file + read, size - read, read);
        if (count === 0) throw new RenderingError('the file was truncated while it was read');
        read += count;
      }
      return PdfiumDocument.#load(pdfium, file, size);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Opens the PDF at an address in PDFium's memory, which the document uses until it is closed. */
  static #load(pdfium: WrappedPdfiumModule, file: number, size: number): PdfiumDocument {
    const document = guard(() => pdfium.FPDF_LoadMemDocument(file, size, ''));
    if (document !== 0) return new PdfiumDocument(pdfium, file, document);
    pdfium.pdfium.wasmExports.free(file);
    const error = pdfium.FPDF_GetLastError();
    if (error === PASSWORD_ERROR) throw new RenderingError('needs a password');
    throw new RenderingError(`PDFium cannot open the file (error ${error})`);
  }

  get pageCount(): number {
    return guard(() => this.pdfium.FPDF_GetPageCount(this.#document));
  }

  /** Whether PDFium reads the file without rebuilding its cross-reference information. */
  get hasValidXref(): boolean {
    return guard(() => this.pdfium.FPDF_DocumentHasValidCrossReferenceTable(this.#document));
  }

  /**
   * Converts a point in the user space of a page to a pixel of the whole page, rendered in the given size.
   */
  toPixel(
    page: number,
    size: { width: number; height: number },
    [x, y]: readonly [number, number],
  ): [number, number] {
    const handle = this.openPage(page);
    const address = allocate(this.pdfium, SIZE_BYTES);
    try {
      const { width, height } = size;
      guard(() => this.pdfium.FPDF_PageToDevice(handle, 0, 0, width, height, 0, x, y, address, address + 4));
      const [left = 0, top = 0] = new Int32Array(memoryOf(this.pdfium).buffer, address, 2);
      return [left, top];
    } finally {
      this.pdfium.pdfium.wasmExports.free(address);
    }
  }

  /**
   * Returns the size of a page as it is displayed, in points, without parsing its content.
   * @throws {RenderingError} if PDFium cannot find it.
   */
  sizeOf(page: number): { widthPt: number; heightPt: number } {
    const address = allocate(this.pdfium, SIZE_BYTES);
    try {
      if (!guard(() => this.pdfium.FPDF_GetPageSizeByIndexF(this.#document, page, address)))
        throw new RenderingError('PDFium cannot open a page');
      const [widthPt = 0, heightPt = 0] = new Float32Array(memoryOf(this.pdfium).buffer, address, 2);
      return { widthPt, heightPt };
    } finally {
      this.pdfium.pdfium.wasmExports.free(address);
    }
  }

  /**
   * Opens a page and keeps it open until another page is opened, because PDFium parses the content when it
   * opens a page.
   * @throws {RenderingError} if PDFium cannot open it.
   */
  openPage(index: number): number {
    if (this.#page?.index === index) return this.#page.handle;
    this.#closePage();
    const handle = guard(() => this.pdfium.FPDF_LoadPage(this.#document, index));
    if (handle === 0) throw new RenderingError('PDFium cannot open a page');
    this.#page = { index, handle, isFlat: false };
    return handle;
  }

  /**
   * Opens a page like {@link openPage}, and makes the appearance of its annotations and form fields part of
   * its content, for as long as the document is open.
   * @throws {RenderingError} if PDFium cannot open it.
   */
  openFlatPage(index: number): number {
    const handle = this.openPage(index);
    if (this.#page?.isFlat === true) return handle;
    const flattened = guard(() => {
      if (!this.hasAnnotations(index)) return false;
      this.#setBoxes(handle);
      return this.pdfium.FPDFPage_Flatten(handle, FOR_DISPLAY) === FLATTENED;
    });
    if (flattened) this.#closePage();
    const flat = this.openPage(index);
    if (this.#page) this.#page.isFlat = true;
    return flat;
  }

  /**
   * Sets the boxes of a page to its visible area, because PDFium replaces inherited boxes with US Letter when
   * it flattens a page.
   */
  #setBoxes(page: number): void {
    const { pdfium } = this;
    const address = allocate(pdfium, RECTANGLE_BYTES);
    try {
      if (!pdfium.FPDF_GetPageBoundingBox(page, address)) return;
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
        memoryOf(pdfium).buffer,
        address,
        RECTANGLE_BYTES / Float32Array.BYTES_PER_ELEMENT,
      );
      pdfium.FPDFPage_SetMediaBox(page, left, bottom, right, top);
      pdfium.FPDFPage_SetCropBox(page, left, bottom, right, top);
    } finally {
      pdfium.pdfium.wasmExports.free(address);
    }
  }

  /**
   * Tells whether a page has annotations that are drawn: all except links without an appearance.
   * @throws {RenderingError} if PDFium cannot open the page.
   */
  hasAnnotations(index: number): boolean {
    const { pdfium } = this;
    const page = this.openPage(index);
    return guard(() => {
      const count = pdfium.FPDFPage_GetAnnotCount(page);
      for (let number = 0; number < count; number += 1) {
        const annotation = pdfium.FPDFPage_GetAnnot(page, number);
        if (annotation === 0) continue;
        const isDrawn =
          pdfium.FPDFAnnot_GetSubtype(annotation) !== LINK || pdfium.FPDFAnnot_HasKey(annotation, 'AP');
        pdfium.FPDFPage_CloseAnnot(annotation);
        if (isDrawn) return true;
      }
      return false;
    });
  }

  #closePage(): void {
    if (this.#page) this.pdfium.FPDF_ClosePage(this.#page.handle);
    this.#page = undefined;
  }

  [Symbol.dispose](): void {
    this.#closePage();
    this.pdfium.FPDF_CloseDocument(this.#document);
    this.pdfium.pdfium.wasmExports.free(this.#file);
  }
}

/**
 * Runs calls of PDFium. @throws {RenderingError} also if PDFium traps, which leaves its memory inconsistent.
 */
export function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RenderingError) throw error;
    // The next document gets a new instance.
    loaded = undefined;
    throw new RenderingError('PDFium failed to process a page', { cause: error });
  }
}

/** Returns the current memory object, which changes whenever the memory grows. */
export function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as typeof pdfium & { HEAPU8: Uint8Array }).HEAPU8;
}

function allocate(pdfium: WrappedPdfiumModule, bytes: number): number {
  const address = pdfium.pdfium.wasmExports.malloc(bytes);
  if (address === 0) throw new RenderingError('PDFium has no memory for the file');
  return address;
}
