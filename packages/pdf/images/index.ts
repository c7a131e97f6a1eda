/**
 * Pages as bitmaps.
 * @module
 */
export { bmpOf } from './bmp.ts';
export { type Bitmap, PageRenderer, type PixelArea } from './page-renderer.ts';
export { PdfiumDocument } from '../pdfium/pdfium-document.ts';
