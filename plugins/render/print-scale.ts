import { constants, inflateSync } from 'node:zlib';
import { readContentStarts } from './pdf-scan.ts';
import type { Overflow } from './receipt/receipt.ts';

/** Chromium's print units per CSS pixel: 300 dpi over 96 dpi. */
const UNITS_PER_PIXEL = 300 / 96;

/**
 * Chromium shrinks a document at most to this factor, and clips the rest (`kPrintingMaximumShrinkFactor` of
 * Blink is 1.5).
 */
const SMALLEST_SHRINK = 1 / 1.5;

/** A smaller difference comes from rounding. */
const TOLERANCE = 0.004;

/** The pages whose scale is read. A document has one scale unless its pages have several sizes. */
const MAX_PAGES = 20;

/** How many bytes of a page's content are read: its first transformations. */
const START_BYTES = 400;

/** The transformation of the document, which follows the clip to the area between the margins. */
const SCALE = /W\* n\nq\n([\d.]{1,20}) 0 0 [\d.]{1,20} /;

/**
 * Finds out whether the content of a printed document is wider than its page. Chromium then shrinks the whole
 * document, which shows in the transformation at the start of each page, so the page itself need not be
 * measured.
 *
 * @param expected the factor of a document that fits
 */
export async function findOverflow(pdf: Buffer, expected: number): Promise<Overflow | null> {
  let shrink = 1;
  for (const start of await readContentStarts(pdf, { maxPages: MAX_PAGES, bytes: START_BYTES })) {
    const scale = Number(SCALE.exec(inflateStart(start))?.[1] ?? NaN) / UNITS_PER_PIXEL;
    if (scale > 0) shrink = Math.min(shrink, scale / expected);
  }
  if (shrink > 1 - TOLERANCE) return null;
  return { scale: Math.round(shrink * 1000) / 1000, isClipped: shrink < SMALLEST_SHRINK + TOLERANCE };
}

function inflateStart(packed: Buffer): string {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1', 0, START_BYTES);
  } catch {
    return '';
  }
}
