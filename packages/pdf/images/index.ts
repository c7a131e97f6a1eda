/**
 * Pages as bitmaps, and where their text lies.
 * @module
 */
export { bmpOf } from './bmp.ts';
export { type Bitmap, PageRenderer, type PixelArea } from './page-renderer.ts';
export { locateText } from '../text/characters.ts';
export { PdfiumDocument } from '../pdfium/pdfium-document.ts';
