import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { PNG } from 'pngjs';
import type { Rect } from './qpdf-fields.ts';

/** A point on a page, in its units. */
export interface Point {
  x: number;
  y: number;
}

const ANNOTATIONS = 1;
const BGRA = 4;

/**
 * Returns the memory of pdfium. Call it for each access, because the memory moves when it grows. The cast
 * avoids a dependency on the package that declares its type.
 */
export function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
}

let loaded: Promise<WrappedPdfiumModule> | undefined;

/** Loads pdfium on first use. */
export function loadPdfium(): Promise<WrappedPdfiumModule> {
  return (loaded ??= load());
}

async function load(): Promise<WrappedPdfiumModule> {
  const wasm = Bun.file(Bun.fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const module = await init({ wasmBinary: await wasm.arrayBuffer() });
  module.PDFiumExt_Init();
  return module;
}

/** A file opened in pdfium, the PDF engine of Chromium, compiled to WebAssembly. Free it with `using`. */
export class PdfiumFile implements Disposable {
  readonly #module: WrappedPdfiumModule;
  readonly #memory: number;
  readonly #document: number;
  readonly #formInfo: number;
  readonly #form: number;

  private constructor(module: WrappedPdfiumModule, pdf: Uint8Array) {
    this.#module = module;
    this.#memory = module.pdfium.wasmExports.malloc(pdf.length);
    memoryOf(module).set(pdf, this.#memory);
    this.#document = module.FPDF_LoadMemDocument(this.#memory, pdf.length, '');
    if (this.#document === 0) throw new Error('pdfium cannot open the file');
    // Widgets are drawn by the form fill environment.
    this.#formInfo = module.PDFiumExt_OpenFormFillInfo();
    this.#form = module.PDFiumExt_InitFormFillEnvironment(this.#document, this.#formInfo);
    module.FPDF_SetFormFieldHighlightAlpha(this.#form, 0);
  }

  static async open(pdf: Uint8Array): Promise<PdfiumFile> {
    return new PdfiumFile(await loadPdfium(), pdf);
  }

  /** Renders each page with its annotations. */
  draw({ dpi }: { dpi: number }): PNG[] {
    const pages = this.#module.FPDF_GetPageCount(this.#document);
    return Array.from({ length: pages }, (_, index) =>
      this.#withPage(index, (page) => this.#drawPage(page, dpi / 72)),
    );
  }

  /**
   * Merges the appearances of annotations into the page content and extracts the text inside boxes. Pages
   * start at 1; a box is left, bottom, right, top in units of the page.
   */
  textInside(boxes: readonly { page: number; rect: Rect }[]): string[] {
    const module = this.#module;
    const texts = boxes.map(() => '');
    for (const number of new Set(boxes.map(({ page }) => page))) {
      this.#withPage(number - 1, (page) => module.FPDFPage_Flatten(page, 0));
      this.#withPage(number - 1, (page) => {
        const text = module.FPDFText_LoadPage(page);
        for (const [index, { page: own, rect }] of boxes.entries())
          if (own === number) texts[index] = this.#textIn(text, rect);
        module.FPDFText_ClosePage(text);
      });
    }
    return texts;
  }

  /** Clicks a point on a page (from 0), in units of the page. */
  clickAt(index: number, { x, y }: Point): void {
    this.#interact(index, (page) => this.#click(page, { x, y }));
  }

  /** Clicks a field, types text and leaves the field. */
  typeAt(index: number, point: Point, text: string): void {
    this.#interact(index, (page) => {
      this.#click(page, point);
      for (const character of text)
        this.#module.FORM_OnChar(this.#form, page, character.codePointAt(0) ?? 0, 0);
    });
  }

  /** Clicks a dropdown and chooses an option by its index. */
  chooseAt(index: number, point: Point, option: number): void {
    this.#interact(index, (page) => {
      this.#click(page, point);
      this.#module.FORM_SetIndexSelected(this.#form, page, option, true);
    });
  }

  /** Saves the file with the values that were entered, as a viewer does. */
  save(): Buffer {
    const module = this.#module;
    const writer = module.PDFiumExt_OpenFileWriter();
    module.PDFiumExt_SaveAsCopy(this.#document, writer);
    const size = module.PDFiumExt_GetFileWriterSize(writer);
    const memory = module.pdfium.wasmExports.malloc(size);
    module.PDFiumExt_GetFileWriterData(writer, memory, size);
    const bytes = Buffer.from(memoryOf(module).slice(memory, memory + size));
    module.pdfium.wasmExports.free(memory);
    module.PDFiumExt_CloseFileWriter(writer);
    return bytes;
  }

  #click(page: number, { x, y }: Point): void {
    const module = this.#module;
    module.FORM_OnMouseMove(this.#form, page, 0, x, y);
    module.FORM_OnLButtonDown(this.#form, page, 0, x, y);
    module.FORM_OnLButtonUp(this.#form, page, 0, x, y);
  }

  #interact(index: number, work: (page: number) => void): void {
    this.#withPage(index, (page) => {
      this.#module.FORM_OnAfterLoadPage(page, this.#form);
      work(page);
      this.#module.FORM_ForceToKillFocus(this.#form);
      this.#module.FORM_OnBeforeClosePage(page, this.#form);
    });
  }

  [Symbol.dispose](): void {
    this.#module.PDFiumExt_ExitFormFillEnvironment(this.#form);
    this.#module.PDFiumExt_CloseFormFillInfo(this.#formInfo);
    this.#module.FPDF_CloseDocument(this.#document);
    this.#module.pdfium.wasmExports.free(this.#memory);
  }

  #textIn(text: number, [left, bottom, right, top]: Rect): string {
    const module = this.#module;
    const bound = (buffer: number, length: number) =>
      module.FPDFText_GetBoundedText(text, left, top, right, bottom, buffer, length);
    const length = bound(0, 0);
    if (length <= 0) return '';
    const buffer = module.pdfium.wasmExports.malloc(2 * length);
    bound(buffer, length);
    const bytes = memoryOf(module).slice(buffer, buffer + 2 * length);
    module.pdfium.wasmExports.free(buffer);
    return new TextDecoder('utf-16le').decode(bytes).replaceAll('\0', '');
  }

  #drawPage(page: number, scale: number): PNG {
    const module = this.#module;
    const width = Math.ceil(module.FPDF_GetPageWidthF(page) * scale);
    const height = Math.ceil(module.FPDF_GetPageHeightF(page) * scale);
    const bitmap = module.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
    module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xff_ff_ff_ff);
    const area = [0, 0, width, height, 0, ANNOTATIONS] as const;
    module.FPDF_RenderPageBitmap(bitmap, page, ...area);
    module.FORM_OnAfterLoadPage(page, this.#form);
    module.FPDF_FFLDraw(this.#form, bitmap, page, ...area);
    module.FORM_OnBeforeClosePage(page, this.#form);
    const image = new PNG({ width, height });
    const start = module.FPDFBitmap_GetBuffer(bitmap);
    const pixels = memoryOf(module).subarray(start, start + 4 * width * height);
    for (let at = 0; at < pixels.length; at += 4)
      image.data.set([pixels[at + 2] ?? 0, pixels[at + 1] ?? 0, pixels[at] ?? 0, 255], at);
    module.FPDFBitmap_Destroy(bitmap);
    return image;
  }

  #withPage<T>(index: number, use: (page: number) => T): T {
    const page = this.#module.FPDF_LoadPage(this.#document, index);
    if (page === 0) throw new Error(`pdfium cannot load page ${index + 1}`);
    try {
      return use(page);
    } finally {
      this.#module.FPDF_ClosePage(page);
    }
  }
}
