import { invalid } from '../../../src/plugin.ts';
import { mentionsAssets } from '../assets/asset-urls.ts';
import { classify, MAX_CLASSIFIED_CHARACTERS, MAX_CLASSIFIED_PARTS } from '../source/classify.ts';
import { paperSize, type Margins, type PrintSetup } from './print-options.ts';
import { namesRemoteResource } from './remote-styles.ts';
import { RenderError } from '../render-error.ts';

/** The id of the element around a header or footer, by which it is measured. */
export const HEADER_FOOTER_ID = 'platen-header-footer';

/**
 * Replaces the page numbers, which Chromium inserts while it prints, so that a header of numbers only is
 * measured at its real height.
 */
export const PAGE_NUMBER_PLACEHOLDERS =
  "<style>.pageNumber::before,.totalPages::before,.sectionPageNumber:empty::before,.sectionTotalPages:empty::before{content:'0'}</style>";

/** Chromium's distance between the edge of the paper and a header or footer. */
export const HEADER_FOOTER_EDGE_IN = 0.2;
/** The distance between a header or footer and the text. */
const GAP_IN = 0.1;
const MIN_CONTENT_IN = 0.25;

/**
 * Rejects a header or footer that is too long or not inert. Chromium runs no scripts and loads no resources
 * in headers and footers, so they would silently have no effect. Takes time linear in the length, and about
 * 50 ms at most.
 * @throws {AppError} VALIDATION_ERROR
 */
export function requireInertHeaderOrFooter(path: string, html: string | undefined): void {
  if (html === undefined) return;
  if (html.length > MAX_CLASSIFIED_CHARACTERS) {
    throw invalid(
      path,
      `must be at most ${MAX_CLASSIFIED_CHARACTERS} characters after Handlebars has filled in the data`,
    );
  }
  // Assets become data: URIs before the header or footer is printed.
  const embedded = mentionsAssets(html) ? html.replaceAll(/\basset:/gi, 'data:') : html;
  const { documentClass, isTooLarge } = classify(embedded);
  if (isTooLarge)
    throw invalid(path, `must have at most ${MAX_CLASSIFIED_PARTS} elements and attributes together`);
  if (documentClass === 'active' || namesRemoteResource(embedded)) {
    throw invalid(
      path,
      'must be HTML without scripts, event handlers, frames and remote resources; use assets (asset:logo.png) or data: URIs',
    );
  }
}

/**
 * Tells whether a header or footer that Chromium prints as it is has more than inert markup. Takes time as
 * {@link requireInertHeaderOrFooter} does.
 */
export function hasActiveHeader({ header = '', footer = '', page }: PrintSetup): boolean {
  if (!page?.nativeHeaders) return false;
  return [header, footer].some((html) => html !== '' && classify(html).documentClass === 'active');
}

/** Header and footer in the form that is printed, and the margins with room for them. */
export interface HeaderLayout {
  header: string | undefined;
  footer: string | undefined;
  margins: Margins;
  /** The margins of the first page, when it has its own header and footer. */
  firstMargins?: Margins;
}

/**
 * Lays out the headers and footers of a document. `measure` returns a height in inches.
 * @throws {RenderError} NO_ROOM
 */
export async function layOutHeaders(
  setup: PrintSetup,
  measure: (html: string) => Promise<number>,
): Promise<HeaderLayout> {
  if (setup.page?.nativeHeaders)
    return { header: setup.header, footer: setup.footer, margins: setup.marginsIn };
  const wrap = (html: string | undefined) => html && wrapHeaderOrFooter(html, setup.marginsIn);
  const heightOf = async (html: string | undefined) => (html ? measure(html) : 0);
  const [header, footer] = [wrap(setup.header), wrap(setup.footer)];
  const heights = { header: await heightOf(header), footer: await heightOf(footer) };
  const margins = marginsFor(setup, heights);
  if (!setup.firstPage) return { header, footer, margins };
  const first = {
    header: await heightOf(wrap(setup.firstPage.header)),
    footer: await heightOf(wrap(setup.firstPage.footer)),
  };
  return { header, footer, margins, firstMargins: marginsFor(setup, first, 'options.firstPage') };
}

/**
 * Wraps a header or footer in an element that limits its width to the space between the margins, sets a
 * readable font size, prints its colours, and contains the outer margins of its content.
 */
export function wrapHeaderOrFooter(html: string, { left, right }: Margins): string {
  const style = `display:flow-root;box-sizing:border-box;width:100%;padding:0 ${right}in 0 ${left}in;font:9pt/1.3 'Liberation Sans',sans-serif;-webkit-print-color-adjust:exact`;
  return `<div id="${HEADER_FOOTER_ID}" style="${style}">${html}</div>`;
}

/**
 * Increases the top and bottom margins until header and footer (heights in inches) fit. `options` is the path
 * of the options with header and footer.
 * @throws {RenderError} NO_ROOM when no space is left.
 */
function marginsFor(
  setup: PrintSetup,
  heights: { header: number; footer: number },
  options = 'options',
): Margins {
  const space = (height: number) => (height > 0 ? HEADER_FOOTER_EDGE_IN + height + GAP_IN : 0);
  const top = Math.max(setup.marginsIn.top, space(heights.header));
  const bottom = Math.max(setup.marginsIn.bottom, space(heights.footer));
  if (paperSize(setup).heightIn - top - bottom < MIN_CONTENT_IN) {
    const path = heights.header >= heights.footer ? `${options}.header` : `${options}.footer`;
    throw new RenderError('NO_ROOM', 'is too high: it leaves no room for the content of the page', { path });
  }
  return { ...setup.marginsIn, top, bottom };
}
