import type { Page, PdfDocument } from '../objects/index.ts';
import { readContentGraph } from '../pdfa/content/graph.ts';
import { readFontUses } from '../pdfa/fonts/font-use.ts';
import { completeToUnicode, isAllowedText, shownCodes, toUnicodeOf } from '../pdfa/fonts/unicode-text.ts';
import { levelRules } from '../pdfa/levels.ts';

/** Gives every character that is shown a Unicode text (ISO 14289-1 7.21.7). Chromium writes none for some glyphs of complex scripts. */
export function completeFonts(document: PdfDocument, pages: readonly Page[]): void {
  const dicts = pages.map(({ dict, inherited }) => {
    for (const [key, value] of inherited) dict.set(key, value);
    return dict;
  });
  const context = { document, rules: levelRules('2u'), violations: [], next: () => 0 };
  for (const use of readFontUses(readContentGraph(document, dicts))) {
    const texts = toUnicodeOf(use.font, document);
    const isComplete = [...shownCodes(use.font, use.strings, document)].every((code) =>
      isAllowedText(texts.get(code)),
    );
    if (!isComplete) completeToUnicode(use, context);
  }
}
