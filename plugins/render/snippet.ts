import type { SnippetRequest } from './contract.ts';
import type { PrintSetup } from './print-options.ts';

const BOX_ID = 'platen-snippet';
const CUT = 'data-cut';
/** Chromium rounds paper to a grid, and scales what does not fit a very small sheet; the box is its upper left corner. */
const MARGIN_PT = 2;
const MIN_PAPER_PT = 72;
const POINTS_PER_INCH = 72;

/** The document that is printed for a snippet: a box of the wanted size in the upper left corner, and nothing else. */
export function snippetPage({ html, widthPt, heightPt, fit }: SnippetRequest): string {
  const box = `position:absolute;left:0;top:0;width:${widthPt}pt;height:${heightPt}pt;overflow:hidden`;
  // On the screen text would otherwise be set in whole pixels, and be wider or narrower than it is printed.
  const text = `font:${fit?.maxPt ?? 12}pt 'Noto Sans','Liberation Sans','DejaVu Sans',sans-serif;text-rendering:geometricPrecision;-webkit-print-color-adjust:exact;overflow-wrap:anywhere`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>html,body{margin:0}#${BOX_ID}{${box};${text}}</style></head><body><div id="${BOX_ID}"><div style="display:flow-root">${html}</div></div></body></html>`;
}

/** Paper that holds the snippet's box. */
export function snippetSetup({ widthPt, heightPt, fit }: SnippetRequest): PrintSetup {
  const side = (points: number) => Math.max(points + MARGIN_PT, MIN_PAPER_PT) / POINTS_PER_INCH;
  return {
    widthIn: side(widthPt),
    heightIn: side(heightPt),
    landscape: false,
    marginsIn: { top: 0, right: 0, bottom: 0, left: 0 },
    printBackground: true,
    preferCssPageSize: false,
    header: undefined,
    footer: undefined,
    prepare: fit && fitScript(fit),
  };
}

/**
 * Finds the largest size of text at which the content fits the box. Where even the smallest is too large, elements with `data-cut`
 * are cut, the highest number first, each as little as possible, between characters as a reader counts them.
 */
function fitScript({ minPt, maxPt }: { minPt: number; maxPt: number }): string {
  return `(() => {
  const box = document.getElementById('${BOX_ID}');
  const content = box.firstElementChild;
  const fits = () => {
    const height = (element) => element.getBoundingClientRect().height;
    return height(content) <= height(box) + 0.02 && content.scrollWidth <= content.clientWidth;
  };
  const largest = (low, high, step, set) => {
    set(high);
    if (fits()) return true;
    let [good, bad] = [low, high];
    set(good);
    if (!fits()) return false;
    while (bad - good > step) {
      const middle = step === 1 ? Math.floor((good + bad) / 2) : (good + bad) / 2;
      set(middle);
      if (fits()) good = middle; else bad = middle;
    }
    set(good);
    return true;
  };
  if (largest(${minPt}, ${maxPt}, 0.1, (points) => { box.style.fontSize = points + 'pt'; })) return;
  const elements = [...box.querySelectorAll('[${CUT}]')];
  elements.sort((a, b) => Number(b.getAttribute('${CUT}')) - Number(a.getAttribute('${CUT}')));
  for (const element of elements) {
    const whole = element.textContent;
    const parts = [...new Intl.Segmenter().segment(whole)].map(({ segment }) => segment);
    const set = (count) => {
      element.textContent = count === parts.length ? whole : parts.slice(0, count).join('').trimEnd() + '\\u2026';
    };
    if (largest(0, parts.length, 1, set)) return;
  }
})()`;
}
