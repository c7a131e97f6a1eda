/**
 * The paper for which a document is laid out. Lengths are in CSS pixels. Chromium lays out a document with
 * `size` in an `@page` rule at that size, and if the paper remains another one, fits the pages onto it.
 */
export interface Paper {
  width: number;
  height: number;
  margins: { top: number; right: number; bottom: number; left: number };
}

/** The declarations of an `@page` rule. */
export type PageStyle = Pick<CSSStyleDeclaration, 'getPropertyValue'>;

/** The elements at which a printed page begins or ends. */
export interface ForcedBreaks {
  before: Iterable<Element>;
  after: Iterable<Element>;
}

/** Estimated numbers of printed pages. */
export interface PageEstimate {
  /** The number of the page on which each element begins, counted from 1. */
  pages: number[];
  /** The number of pages of the document. */
  total: number;
}

/**
 * Estimates the number of the printed page on which each element begins, and the number of pages. It lays the
 * document out at the width of the paper between its margins, and divides the height between two forced
 * breaks by the height between the margins. If the first print already shows numbers with the right number of
 * digits, most documents need only two prints.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=documentElement>` replaces the property of
 * `document`, and a field of a form can replace a method of the form.
 */
export function estimatePages(
  elements: readonly Element[],
  breaks: ForcedBreaks,
  { paper, pageStyles }: { paper: Paper; pageStyles: readonly PageStyle[] },
): PageEstimate {
  const PIXELS: Readonly<Record<string, number>> = {
    px: 1,
    in: 96,
    cm: 96 / 2.54,
    mm: 9.6 / 2.54,
    q: 2.4 / 2.54,
    pt: 4 / 3,
    pc: 16,
  };
  const SIZES: Readonly<Record<string, readonly [number, number]>> = {
    a5: [559, 794],
    a4: [794, 1123],
    a3: [1123, 1587],
    b5: [665, 945],
    b4: [945, 1334],
    letter: [816, 1056],
    legal: [816, 1344],
    ledger: [1056, 1632],
  };
  const readLength = (text: string): number | undefined => {
    const [, amount, unit = ''] = /^([\d.]+)([a-z]*)$/.exec(text.toLowerCase()) ?? [];
    const factor = amount === '0' ? 1 : PIXELS[unit];
    return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
  };
  let [width, height] = [paper.width, paper.height];
  const margins = { ...paper.margins };
  for (const style of pageStyles) {
    const words = style.getPropertyValue('size').split(/\s+/);
    const [first, second = first] = words.flatMap((word) => SIZES[word] ?? readLength(word) ?? []);
    if (first !== undefined && second !== undefined)
      [width, height] = words.includes('landscape') && first < second ? [second, first] : [first, second];
    for (const side of ['top', 'right', 'bottom', 'left'] as const) {
      const margin = style.getPropertyValue(`margin-${side}`);
      // Chromium prints margins of `auto` as 0.
      margins[side] = margin === 'auto' ? 0 : (readLength(margin) ?? margins[side]);
    }
  }
  width -= margins.left + margins.right;
  height -= margins.top + margins.bottom;

  /** A line is not split between two printed pages, so about half a line at the end of each stays empty. */
  const UNUSED_PX = 10;

  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement')?.get?.call(
    document,
  ) as HTMLElement;
  const { width: inlineWidth } = root.style;
  const priority = root.style.getPropertyPriority('width');
  root.style.setProperty('width', `${width}px`, 'important');
  const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
  const top = (element: Element) => boxOf(element).top;
  const edges = [
    ...Array.from(breaks.before, top),
    ...Array.from(breaks.after, (element) => boxOf(element).bottom),
  ].sort((a, b) => a - b);
  const positions = elements.map(top);
  const { top: origin, bottom: end } = boxOf(root);
  root.style.setProperty('width', inlineWidth, priority);

  /** The parts between forced breaks, with the number of the printed page on which each begins. */
  const parts = [{ from: origin, page: 1 }];
  for (const edge of edges) {
    const last = parts.at(-1);
    if (!last || edge - last.from < 1) continue;
    parts.push({
      from: edge,
      page: last.page + Math.max(1, Math.ceil((edge - last.from) / (height - UNUSED_PX))),
    });
  }
  const pageAt = (position: number): number => {
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((parts[middle]?.from ?? 0) <= position + 0.5) low = middle;
      else high = middle - 1;
    }
    const { from, page } = parts[low] ?? { from: origin, page: 1 };
    return page + Math.max(0, Math.floor((position - from) / (height - UNUSED_PX)));
  };
  return { pages: positions.map(pageAt), total: pageAt(end) };
}
