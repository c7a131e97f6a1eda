import { invalid } from '../../../src/plugin.ts';
import type { Margins, PrintSetup } from '../print/print-options.ts';
import type { PageOptions } from './page-options.ts';

/** The side of a PDF page is at most 14,400 units of 1/72 in (ISO 32000-1 annex C.2). */
const MAX_SIDE_IN = 200;
/** Chromium rounds paper and margins to points. */
const MIN_CONTENT_IN = 1 / 72;

/**
 * Adds the options of a page to a setup.
 * @throws {AppError} VALIDATION_ERROR that names `page.<option>`
 */
export function withPageOptions(
  setup: PrintSetup,
  page: PageOptions | undefined,
  { timeoutMs }: { timeoutMs: number },
): PrintSetup {
  if (!page) return setup;
  const { delayMs = 0 } = page.waitFor ?? {};
  if (delayMs >= timeoutMs)
    throw invalid('page.waitFor.delayMs', `must be less than ${timeoutMs}, the time limit of a document`);
  const { width = setup.widthIn, height = setup.heightIn } = page.paperIn ?? {};
  const marginsIn = page.marginsIn ?? setup.marginsIn;
  requirePaper({ width, height, landscape: setup.landscape, marginsIn });
  return {
    ...setup,
    page,
    widthIn: width,
    heightIn: height,
    marginsIn,
    singlePage: page.singlePage ?? setup.singlePage,
    waitFor: page.waitFor ?? setup.waitFor,
  };
}

function requirePaper({
  width,
  height,
  landscape,
  marginsIn,
}: {
  width: number;
  height: number;
  landscape: boolean;
  marginsIn: Margins;
}): void {
  const { top, right, bottom, left } = marginsIn;
  const isSide = (side: number) => side > 0 && side <= MAX_SIDE_IN;
  if (!isSide(width) || !isSide(height))
    throw invalid('page.paperIn', `must be more than 0 and at most ${MAX_SIDE_IN} inches`);
  if (![top, right, bottom, left].every((margin) => margin >= 0))
    throw invalid('page.marginsIn', 'must not be negative');
  const [across, down] = landscape ? [height, width] : [width, height];
  if (across - left - right < MIN_CONTENT_IN || down - top - bottom < MIN_CONTENT_IN)
    throw invalid('page.marginsIn', 'leaves no room for the content');
}
