import { PageRenderer, type Bitmap } from '../images/page-renderer.ts';
import { POINTS_PER_INCH } from '../images/pixel-size.ts';
import { loadSharp } from '../images/sharp.ts';
import { type PdfiumDocument } from '../pdfium/pdfium-document.ts';
import type { TextBox } from '../text/text-box.ts';
import { compareLayout } from './compare-layout.ts';
import { highlightChanges, type PixelBox } from './highlight.ts';
import { readLayout } from './layout-facts.ts';
import { findVisibleChanges } from './visible-changes.ts';

/** The comparison of a page with the expected page of the same number. */
export interface PrintedPage {
  /** The number of the page, from 1. */
  page: number;
  equal: boolean;
  /** The share of the pixels that differ visibly. */
  changedFraction: number;
  /** A PNG of the page; absent from a page that only the expected document has, and beyond the limit. */
  image?: Uint8Array;
  /** A PNG that marks the changes; absent from equal and new pages, and beyond the limit. */
  diff?: Uint8Array;
}

/** A fact of the layout that differs. */
export interface LayoutDifference {
  /** The number of the page, from 1; `null` for a fact of the whole document. */
  page: number | null;
  /** A sentence without capital letter or full stop. */
  finding: string;
}

/** The comparison of a document with the expected one. */
export interface PrintComparison {
  /** Pages that only one of the documents has are included. */
  pages: PrintedPage[];
  layout: LayoutDifference[];
}

const DPI = 96;
/** Larger pages are drawn at a lower resolution. */
const MAX_PAGE_PIXELS = 4_000_000;
/** The area that two pages may cover together. A wide page and a tall one can cover more, and then differ. */
const MAX_COMPARED_PIXELS = 2 * MAX_PAGE_PIXELS;
const MAX_IMAGE_BYTES = 32_000_000;
/** The largest number of findings about all pages. */
const MAX_FINDINGS = 100;

/**
 * Compares a printed document with an expected one: first the number and the sizes of the pages and the boxes
 * of the lines of text, then the pixels. Movements of up to a pixel of 1/96 inch are not differences. The
 * same program draws both. Pages that differ get images first.
 * @param expected absent for a document without a counterpart, whose pages only get images
 * @throws {RenderingError} if PDFium cannot read or draw a page.
 */
export async function comparePrints(
  printed: PdfiumDocument,
  expected: PdfiumDocument | undefined,
  { maxImages }: { maxImages: number },
): Promise<PrintComparison> {
  const budget = { images: maxImages, bytes: MAX_IMAGE_BYTES };
  const pages: PrintedPage[] = [];
  const layout: LayoutDifference[] = [];
  const count = expected?.pageCount ?? 0;
  if (expected && printed.pageCount !== count)
    layout.push({
      page: null,
      finding: `the document has ${plural(printed.pageCount)}, and the accepted one has ${plural(count)}`,
    });
  for (let page = 0; page < Math.max(printed.pageCount, count); page += 1) {
    const result: PrintedPage = { page: page + 1, equal: false, changedFraction: 1 };
    pages.push(result);
    if (!expected || page >= count || page >= printed.pageCount) continue;
    const changes = compareLayout(readLayout(expected, page), readLayout(printed, page));
    for (const finding of changes.findings) layout.push({ page: page + 1, finding });
    const scale = Math.min(scaleOf(printed, page), scaleOf(expected, page));
    const [before, after] = [draw(expected, page, scale), draw(printed, page, scale)];
    if (Math.max(before.width, after.width) * Math.max(before.height, after.height) > MAX_COMPARED_PIXELS) {
      result.changedFraction = 1;
      await addImage(result, 'image', after, budget);
      continue;
    }
    const visible = findVisibleChanges(before, after);
    result.changedFraction = visible.count / (visible.width * visible.height);
    result.equal = visible.count === 0 && changes.findings.length === 0;
    if (result.equal) continue;
    const boxes = changes.boxes.map((box) => toPixels(box, printed.sizeOf(page).heightPt, scale));
    await addImage(result, 'diff', highlightChanges({ before, after }, visible, boxes), budget);
    await addImage(result, 'image', after, budget);
  }
  for (const result of pages)
    if (!result.image && result.page <= printed.pageCount) {
      const page = result.page - 1;
      await addImage(result, 'image', () => draw(printed, page, scaleOf(printed, page)), budget);
    }
  const omitted = layout.length - MAX_FINDINGS;
  if (omitted <= 0) return { pages, layout };
  const rest = { page: null, finding: `${omitted} more differences on other pages` };
  return { pages, layout: [...layout.slice(0, MAX_FINDINGS), rest] };
}

function plural(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}

/** Returns the pixels per point at which a page is drawn. */
function scaleOf(document: PdfiumDocument, page: number): number {
  const { widthPt, heightPt } = document.sizeOf(page);
  return Math.min(DPI / POINTS_PER_INCH, Math.sqrt(MAX_PAGE_PIXELS / (widthPt * heightPt)));
}

function draw(document: PdfiumDocument, page: number, scale: number): Bitmap {
  const { widthPt, heightPt } = document.sizeOf(page);
  const toSize = (points: number) => Math.min(MAX_PAGE_PIXELS, Math.max(1, Math.round(points * scale)));
  const size = { width: toSize(widthPt), height: toSize(heightPt) };
  return PageRenderer.of(document).render(page, size, { left: 0, top: 0, ...size }, 'viewer', 'rgb');
}

function toPixels({ x, y, width, height }: TextBox, heightPt: number, scale: number): PixelBox {
  return {
    left: x * scale,
    right: (x + width) * scale,
    top: (heightPt - y - height) * scale,
    bottom: (heightPt - y) * scale,
  };
}

async function addImage(
  result: PrintedPage,
  kind: 'image' | 'diff',
  bitmap: Bitmap | (() => Bitmap),
  budget: { images: number; bytes: number },
): Promise<void> {
  if (budget.images === 0) return;
  const { width, height, pixels } = typeof bitmap === 'function' ? bitmap() : bitmap;
  const sharp = await loadSharp();
  const image = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
  // The further pages have no images either, even smaller ones.
  if (image.length > budget.bytes) return void (budget.images = 0);
  budget.images -= 1;
  budget.bytes -= image.length;
  result[kind] = image;
}
