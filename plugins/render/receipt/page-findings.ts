import type { Log } from '../../../src/plugin.ts';
import type { PageSlot } from '../browser/page-slot.ts';
import type { FontCoverage } from './font-coverage.ts';
import { findMissingGlyphs, type MissingGlyphs } from './missing-glyphs.ts';
import type { ReplacedFont } from './replaced-fonts.ts';

/**
 * Finds the faces that the document of a page requests, and their families lack. Returns no fonts when the
 * search fails, because a warning must not fail the document.
 */
export async function replacedFontsOf(
  page: Pick<PageSlot, 'findReplacedFonts'>,
  log: Log,
): Promise<ReplacedFont[]> {
  return page.findReplacedFonts().catch((error: unknown) => {
    log.warn({ err: error }, 'replaced fonts could not be determined');
    return [];
  });
}

/**
 * Finds tags of templates in the text of the document of a page. Returns no tags when the search fails,
 * because a warning must not fail the document.
 */
export async function templateTagsOf(page: Pick<PageSlot, 'findTemplateTags'>, log: Log): Promise<string[]> {
  return page.findTemplateTags().catch((error: unknown) => {
    log.warn({ err: error }, 'the tags of templates could not be determined');
    return [];
  });
}

/**
 * Returns the size of the Swiss QR-bills of a printed page relative to the prescribed one. `scale` is that of
 * the print. Returns 1 when the search fails, because a warning must not fail the document.
 */
export async function billScaleOf(
  page: Pick<PageSlot, 'findBillScale'>,
  { scale, log }: { scale: number; log: Log },
): Promise<number> {
  return page.findBillScale().then(
    (laidOut) => laidOut * scale,
    (error: unknown) => {
      log.warn({ err: error }, 'the size of Swiss QR-bills could not be determined');
      return 1;
    },
  );
}

/**
 * Finds the characters that a PDF of a page prints as boxes. Returns `null` when the search fails, because a
 * receipt must not fail the document.
 */
export async function missingGlyphsOf(
  pdf: Buffer,
  {
    page,
    headersAndFooters,
    fonts,
    log,
  }: { page: Pick<PageSlot, 'characters'>; headersAndFooters: string; fonts: FontCoverage; log: Log },
): Promise<MissingGlyphs | null> {
  const readCharacters = async () => `${await page.characters()}${headersAndFooters}`;
  return findMissingGlyphs(pdf, { fonts, readCharacters }).catch((error: unknown) => {
    log.warn({ err: error }, 'missing glyphs could not be determined');
    return null;
  });
}
