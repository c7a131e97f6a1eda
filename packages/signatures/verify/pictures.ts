import { RenderingError } from '@platen/pdf/objects';
import type { Bitmap, locateText, PageRenderer } from '@platen/pdf/images';
import type { PdfiumDocument } from '@platen/pdf/images';
import type { ChangedArea } from './changes.ts';

/** A signed revision to compare with the file. */
export interface SignedRevision {
  /** The end of the revision. */
  end: number;
  /** The areas where permitted changes are visible. */
  areas: readonly ChangedArea[];
}

/**
 * The number of pictures of all revisions together. The pages with changes come first; further pages are
 * spread over the file.
 */
const MAX_PICTURES = 240;
/** The number of pictures of pages with changes. */
const MAX_CHANGED_PICTURES = 1_000;
/** The processor time of a comparison. */
const MAX_SECONDS = 25;
/** The resolution: one pixel per point, but less for large pages and for many pages. */
const MAX_PIXELS_OF_PAGE = 1_000_000;
const MAX_PIXELS = 40_000_000;
/**
 * The difference of a colour, from 0 to 255, that counts. The same objects give the same picture, except for
 * rounding.
 */
const TOLERANCE = 24;
const MARGIN_PIXELS = 2;

const UNKNOWN = 'whether the pages look as they did when they were signed cannot be determined:';

/**
 * Compares PDFium's pictures of signed revisions with its pictures of the file, outside the areas of
 * permitted changes. This is a second line of defence: the structures of the revisions were compared before,
 * with another reader.
 * @returns the first difference of each revision that differs, as a sentence, by the end of the revision. A
 * comparison that cannot be finished counts as a difference.
 */
export async function comparePictures(
  file: Uint8Array,
  revisions: readonly SignedRevision[],
): Promise<Map<number, string>> {
  const faults = new Map<number, string>();
  const startedAt = process.cpuUsage();
  const isLate = () => process.cpuUsage(startedAt).user > MAX_SECONDS * 1e6;
  const pages = new Set(revisions.flatMap(({ areas }) => areas.map(({ page }) => page)));
  if (pages.size * (revisions.length + 1) > MAX_CHANGED_PICTURES)
    return new Map(revisions.map(({ end }) => [end, `${UNKNOWN} too many pages changed`]));
  const catching = async (ends: readonly number[], work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RenderingError)) throw error;
      for (const end of ends) faults.set(end, `${UNKNOWN} ${error.message}`);
    }
  };
  await catching(
    revisions.map(({ end }) => end),
    async () => {
      using now = await Pictures.open(file);
      const chosen = choosePages(pages, now.pageCount, Math.floor(MAX_PICTURES / (revisions.length + 1)));
      now.maxPixels = Math.min(MAX_PIXELS_OF_PAGE, Math.floor(MAX_PIXELS / Math.max(1, chosen.length)));
      for (const { end, areas } of revisions)
        await catching([end], async () => {
          using old = await Pictures.open(file.subarray(0, end));
          old.maxPixels = now.maxPixels;
          const fault = compareRevision(old, now, { pages: chosen, areas, isLate });
          if (fault !== undefined) faults.set(end, fault);
        });
    },
  );
  return faults;
}

function compareRevision(
  old: Pictures,
  now: Pictures,
  {
    pages,
    areas,
    isLate,
  }: { pages: readonly number[]; areas: readonly ChangedArea[]; isLate: () => boolean },
): string | undefined {
  if (!old.hasValidXref || !now.hasValidXref)
    return 'PDFium does not accept the cross-reference sections of the file, so it can show other objects';
  if (old.pageCount !== now.pageCount) return 'the file has more or fewer pages than when it was signed';
  for (const page of pages) {
    if (isLate()) return `${UNKNOWN} the file has too many pages or signatures`;
    const changed = areas.filter((area) => area.page === page);
    const boxes = changed.map(({ box }) => now.toPixels(page, box));
    for (const { box, maxCovered } of changed) {
      if (isLate()) return `${UNKNOWN} the file has too many pages or signatures`;
      if (maxCovered !== undefined && old.countText(page, box) > maxCovered)
        return `a form field on page ${page + 1} that changed after signing lies over text that was signed`;
    }
    const kinds = old.hasAnnotations(page) && now.hasAnnotations(page) ? KINDS : PLAIN;
    // The plain picture comes first, because the other one makes the annotations part of the page.
    for (const kind of kinds)
      if (differ(old.draw(page, kind), now.drawOnce(page, kind), boxes))
        return `page ${page + 1} does not look as it did when it was signed`;
  }
  return undefined;
}

/** Chooses pages to compare: all pages with changes, and others at equal distances. */
function choosePages(changed: ReadonlySet<number>, pageCount: number, capacity: number): number[] {
  const others = Array.from({ length: pageCount }, (_, page) => page).filter((page) => !changed.has(page));
  const count = Math.min(others.length, Math.max(1, capacity - changed.size));
  const chosen = Array.from(
    { length: count },
    (_, index) => others[Math.floor((index * others.length) / count)],
  );
  return [...changed, ...chosen.flatMap((page) => page ?? [])].filter((page) => page < pageCount);
}

const KINDS = ['annotations', 'viewer'] as const;
const PLAIN = ['annotations'] as const;

/** The pictures of one revision. */
class Pictures implements Disposable {
  maxPixels = MAX_PIXELS_OF_PAGE;
  readonly #document: PdfiumDocument;
  readonly #renderer: PageRenderer;
  readonly #drawn = new Map<string, Bitmap>();
  /** Where the text of the last page lies. */
  #text: { page: number; places: readonly number[] } | undefined;
  readonly #annotated = new Map<number, boolean>();
  readonly #locateText: typeof locateText;

  private constructor(
    document: PdfiumDocument,
    tools: { renderer: PageRenderer; locateText: typeof locateText },
  ) {
    this.#document = document;
    this.#locateText = tools.locateText;
    this.#renderer = tools.renderer;
  }

  static async open(pdf: Uint8Array): Promise<Pictures> {
    const images = await import('@platen/pdf/images');
    const document = await images.PdfiumDocument.open(pdf);
    const renderer = images.PageRenderer.of(document);
    return new Pictures(document, { renderer, locateText: images.locateText });
  }

  get pageCount(): number {
    return this.#document.pageCount;
  }

  get hasValidXref(): boolean {
    return this.#document.hasValidXref;
  }

  hasAnnotations(page: number): boolean {
    const known = this.#annotated.get(page) ?? this.#document.hasAnnotations(page);
    this.#annotated.set(page, known);
    return known;
  }

  /** Counts the letters and digits of a page in a box in user space. Call it before the page is drawn. */
  countText(page: number, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): number {
    if (this.#text?.page !== page) this.#text = { page, places: this.#locateText(this.#document, page) };
    const { places } = this.#text;
    const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
    const [bottom, top] = [Math.min(y0, y1), Math.max(y0, y1)];
    let count = 0;
    for (let at = 0; at < places.length; at += 2) {
      const [x = 0, y = 0] = [places[at], places[at + 1]];
      if (x >= left && x <= right && y >= bottom && y <= top) count += 1;
    }
    return count;
  }

  draw(page: number, kind: (typeof KINDS)[number]): Bitmap {
    const size = this.#sizeOf(page);
    return this.#renderer.render(page, size, { left: 0, top: 0, ...size }, kind);
  }

  /** Draws a page, or returns the picture from the first call. */
  drawOnce(page: number, kind: (typeof KINDS)[number]): Bitmap {
    const key = `${kind} ${page}`;
    const drawn = this.#drawn.get(key) ?? this.draw(page, kind);
    this.#drawn.set(key, drawn);
    return drawn;
  }

  /** Returns the pixels of a box in user space: left, top, right and bottom. */
  toPixels(page: number, box: readonly number[]): readonly [number, number, number, number] {
    const size = this.#sizeOf(page);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
    const [a, b] = [
      this.#document.toPixel(page, size, [x0, y0]),
      this.#document.toPixel(page, size, [x1, y1]),
    ];
    return [
      Math.min(a[0], b[0]) - MARGIN_PIXELS,
      Math.min(a[1], b[1]) - MARGIN_PIXELS,
      Math.max(a[0], b[0]) + MARGIN_PIXELS,
      Math.max(a[1], b[1]) + MARGIN_PIXELS,
    ];
  }

  #sizeOf(page: number): { width: number; height: number } {
    const { widthPt, heightPt } = this.#document.sizeOf(page);
    const scale = Math.min(1, Math.sqrt(this.maxPixels / Math.max(1, widthPt * heightPt)));
    return {
      width: Math.max(1, Math.ceil(widthPt * scale)),
      height: Math.max(1, Math.ceil(heightPt * scale)),
    };
  }

  [Symbol.dispose](): void {
    this.#document[Symbol.dispose]();
  }
}

/** Tells whether two pictures differ outside boxes of pixels. */
function differ(
  a: Bitmap,
  b: Bitmap,
  boxes: readonly (readonly [number, number, number, number])[],
): boolean {
  const { width, height } = a;
  if (width !== b.width || height !== b.height) return true;
  for (let y = 0; y < height; y += 1) {
    const row = y * width * 4;
    // Most rows are equal.
    const [first, second] = [
      a.pixels.subarray(row, row + 4 * width),
      b.pixels.subarray(row, row + 4 * width),
    ];
    if (Buffer.compare(first, second) === 0) continue;
    const crossing = boxes.filter(([, top, , bottom]) => y >= top && y <= bottom);
    for (let x = 0; x < width; x += 1) {
      if (crossing.some(([left, , right]) => x >= left && x <= right)) continue;
      for (let channel = 4 * x; channel < 4 * x + 3; channel += 1)
        if (Math.abs((first[channel] ?? 0) - (second[channel] ?? 0)) > TOLERANCE) return true;
    }
  }
  return false;
}
