import { invalid } from '../../src/plugin.ts';
import { classify, MAX_CLASSIFIED_CHARACTERS, MAX_CLASSIFIED_PARTS } from './classify.ts';
import { paperSize, type Margins, type PrintSetup } from './print-options.ts';
import { namesRemoteResource } from './remote-styles.ts';

/** The id of the element around a header or footer, by which it is measured. */
export const MARGINAL_ID = 'platen-marginal';

/** Stands where Chromium writes numbers while it prints, so that a header of numbers alone is measured as high as it will be. */
export const MARGINAL_STAND_INS = "<style>.pageNumber::before,.totalPages::before{content:'0'}</style>";

/** Chromium keeps this distance between the paper's edge and a header or footer, and this is left between it and the text. */
const EDGE_IN = 0.2;
const GAP_IN = 0.1;
const MIN_CONTENT_IN = 0.25;

/**
 * Refuses a header or footer that is too long, or not inert. Chromium runs no script and loads no resource in them, so that what such
 * markup is meant to do would silently not happen. Takes time linear in the length, and some 50 ms at most.
 * @throws {AppError} VALIDATION_ERROR
 */
export function requireInertMarginal(path: string, html: string | undefined): void {
  if (html === undefined) return;
  if (html.length > MAX_CLASSIFIED_CHARACTERS) {
    throw invalid(
      path,
      `must be at most ${MAX_CLASSIFIED_CHARACTERS} characters after Handlebars has filled in the data`,
    );
  }
  const { documentClass, isTooLarge } = classify(html);
  if (isTooLarge)
    throw invalid(path, `must have at most ${MAX_CLASSIFIED_PARTS} elements and attributes together`);
  if (documentClass === 'active' || namesRemoteResource(html)) {
    throw invalid(
      path,
      'must be HTML without scripts, event handlers, frames and remote resources; write images as data: URIs',
    );
  }
}

/**
 * Puts a header or footer in a frame that gives it the width between the margins, a readable size, and its colours, and holds the outer
 * margins of what is in it.
 */
export function frameMarginal(html: string, { left, right }: Margins): string {
  const style = `display:flow-root;box-sizing:border-box;width:100%;padding:0 ${right}in 0 ${left}in;font:9pt/1.3 'Liberation Sans',sans-serif;-webkit-print-color-adjust:exact`;
  return `<div id="${MARGINAL_ID}" style="${style}">${html}</div>`;
}

/** Widens the top and bottom margins until header and footer (heights in inches) fit. @throws {AppError} when no room is left. */
export function marginsFor(setup: PrintSetup, heights: { header: number; footer: number }): Margins {
  const room = (height: number) => (height > 0 ? EDGE_IN + height + GAP_IN : 0);
  const top = Math.max(setup.marginsIn.top, room(heights.header));
  const bottom = Math.max(setup.marginsIn.bottom, room(heights.footer));
  if (paperSize(setup).heightIn - top - bottom < MIN_CONTENT_IN) {
    throw invalid(
      heights.header >= heights.footer ? 'options.header' : 'options.footer',
      'is too high: it leaves no room on the page',
    );
  }
  return { ...setup.marginsIn, top, bottom };
}
