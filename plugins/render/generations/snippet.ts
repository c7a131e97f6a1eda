import type { SnippetBox } from '../../documents/contract.ts';
import type { PrintSetup } from '../print/print-options.ts';

const BOX_CLASS = 'platen-snippet';
const CUT = 'data-cut';
/** Space for Chromium's rounding of paper sizes. The box is in the upper left corner of the page. */
const MARGIN_PT = 2;
/** The minimum side of the paper. On smaller paper, Chromium scales the content. */
const MIN_PAPER_PT = 72;
const POINTS_PER_INCH = 72;

/** Returns the document for snippets: each page has one box, in the upper left corner. */
export function snippetPage(boxes: readonly SnippetBox[]): string {
  const { width, height } = paperOf(boxes);
  // Strict containment limits each layout to one box, so that fitting many boxes does not lay out all of them
  // each time.
  const sheet = `section{position:relative;width:${width - MARGIN_PT / 2}pt;height:${height - MARGIN_PT / 2}pt;overflow:hidden;contain:strict}section+section{break-before:page}`;
  // By default the widths of screen text are rounded to pixels and differ from the printed widths.
  const text = `font-family:'Noto Sans','Liberation Sans','DejaVu Sans',sans-serif;text-rendering:geometricPrecision;-webkit-print-color-adjust:exact;overflow-wrap:anywhere`;
  const sections = boxes.map(({ html, widthPt, heightPt, fit }) => {
    const size = `width:${widthPt}pt;height:${heightPt}pt;font-size:${fit?.maxPt ?? 12}pt`;
    const limits = fit ? ` data-min="${fit.minPt}" data-max="${fit.maxPt}"` : '';
    return `<section><div class="${BOX_CLASS}" style="${size}"${limits}><div style="display:flow-root">${html}</div></div></section>`;
  });
  return `<!doctype html><html><head><meta charset="utf-8"><style>html,body{margin:0}${sheet}.${BOX_CLASS}{position:absolute;left:0;top:0;overflow:hidden;contain:strict;${text}}</style></head><body>${sections.join('')}</body></html>`;
}

/** Returns the setup for snippets, with paper that holds each box. */
export function snippetSetup(boxes: readonly SnippetBox[]): PrintSetup {
  const { width, height } = paperOf(boxes);
  return {
    widthIn: width / POINTS_PER_INCH,
    heightIn: height / POINTS_PER_INCH,
    landscape: false,
    marginsIn: { top: 0, right: 0, bottom: 0, left: 0 },
    printBackground: true,
    scale: 1,
    hasExactLengths: true,
    media: 'print',
    preferCssPageSize: false,
    header: undefined,
    footer: undefined,
    prepare: boxes.some(({ fit }) => fit) ? FIT_SCRIPT : undefined,
  };
}

function paperOf(boxes: readonly SnippetBox[]): { width: number; height: number } {
  const side = (points: readonly number[]) => Math.max(Math.max(...points) + MARGIN_PT, MIN_PAPER_PT);
  return {
    width: side(boxes.map(({ widthPt }) => widthPt)),
    height: side(boxes.map(({ heightPt }) => heightPt)),
  };
}

/**
 * Finds the largest text size at which the content fits, for all boxes at once, with one layout per step of
 * the search. If even the smallest size is too large, elements with `data-cut` are truncated as little as
 * possible between grapheme clusters, starting with the highest number.
 */
const FIT_SCRIPT = `(() => {
  const height = (element) => element.getBoundingClientRect().height;
  const fits = (box) => {
    const content = box.firstElementChild;
    return height(content) <= height(box) + 0.02 && content.scrollWidth <= content.clientWidth;
  };
  const all = [...document.querySelectorAll('.${BOX_CLASS}[data-max]')].map((box) => (
    { box, good: Number(box.dataset.min), bad: Number(box.dataset.max), size: 0 }));
  const resize = (items, size) => {
    for (const item of items) item.box.style.fontSize = (item.size = size(item)) + 'pt';
    return items.map((item) => fits(item.box));
  };
  const atLargest = resize(all, ({ bad }) => bad);
  const large = all.filter((_, index) => !atLargest[index]);
  const atSmallest = resize(large, ({ good }) => good);
  let open = large.filter((_, index) => atSmallest[index]);
  const small = open.slice();
  for (;;) {
    open = open.filter(({ good, bad }) => bad - good > 0.1);
    if (open.length === 0) break;
    const fit = resize(open, ({ good, bad }) => (good + bad) / 2);
    for (const [index, item] of open.entries()) {
      if (fit[index]) item.good = item.size; else item.bad = item.size;
    }
  }
  resize(small, ({ good }) => good);
  const cut = (box) => {
    const elements = [...box.querySelectorAll('[${CUT}]')];
    elements.sort((a, b) => Number(b.getAttribute('${CUT}')) - Number(a.getAttribute('${CUT}')));
    for (const element of elements) {
      const whole = element.textContent;
      const parts = [...new Intl.Segmenter().segment(whole)].map(({ segment }) => segment);
      const set = (count) => {
        element.textContent = count === parts.length ? whole : parts.slice(0, count).join('').trimEnd() + '\\u2026';
        return fits(box);
      };
      if (set(parts.length)) return;
      if (!set(0)) continue;
      let [good, bad] = [0, parts.length];
      while (bad - good > 1) {
        const middle = Math.floor((good + bad) / 2);
        if (set(middle)) good = middle; else bad = middle;
      }
      set(good);
      return;
    }
  };
  for (const [index, { box }] of large.entries()) if (!atSmallest[index]) cut(box);
})()`;
