import { applyInherited, type Page, type PdfDocument } from '@platen/pdf/objects';
import { readContentGraph } from '../content/graph.ts';
import { readFontUses } from '../fonts/font-use.ts';
import { toUnicodeOf } from '@platen/pdf/fonts';
import { completeToUnicode, isAllowedText, shownCodes } from '../fonts/unicode-text.ts';
import { levelRules } from '../levels.ts';

/**
 * Adds the missing Unicode text of every shown character to the ToUnicode maps of the fonts (ISO 14289-1
 * 7.21.7). Chromium omits the text of some glyphs of complex scripts.
 */
export function completeFonts(document: PdfDocument, pages: readonly Page[]): void {
  const context = { document, rules: levelRules('2u'), violations: [], next: () => 0 };
  for (const use of readFontUses(readContentGraph(document, pages.map(applyInherited)))) {
    const texts = toUnicodeOf(use.font, document);
    const isComplete = [...shownCodes(use.font, use.strings, document)].every((code) =>
      isAllowedText(texts.get(code)),
    );
    if (!isComplete) completeToUnicode(use, context);
  }
}
