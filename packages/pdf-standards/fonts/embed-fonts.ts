import { applyInherited, asDict, readPages, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { readContentGraph, type ContentGraph } from '../content/graph.ts';
import { BreachError, type Breach } from '../violation.ts';
import { embedCompositeFont } from './composite-font.ts';
import { type FontContext, readFontUses, type FontUse } from './font-use.ts';
import type { LevelRules } from '../levels.ts';
import { completeToUnicode } from './unicode-text.ts';
import { embedSimpleFont } from './simple-font.ts';
import { repairType3Font } from './type3-font.ts';

/**
 * Makes the fonts that show text conform to PDF/A (ISO 19005-1 6.3, ISO 19005-2 6.2.11). Embeds missing font
 * programs, rebuilds programs that do not conform, and completes the font dictionaries. Keeps the widths and
 * positions of text. Does not change unused fonts.
 * @throws {BreachError} with a violation for each font that cannot be made to conform.
 */
export function embedFonts(
  document: PdfDocument,
  rules: LevelRules,
  graph: ContentGraph = graphOf(document),
): void {
  const violations: Breach[] = [];
  let programs = 0;
  const context: FontContext = { document, rules, violations, next: () => programs++ };
  for (const use of readFontUses(graph)) embedFont(use, context);
  if (violations.length > 0) throw new BreachError(violations);
}

function embedFont(use: FontUse, context: FontContext): void {
  const subtype = use.font.name('Subtype');
  if (subtype === 'Type0') embedCompositeFont(use, context);
  else if (subtype === 'Type3') repairType3Font(use, context);
  else embedSimpleFont(use, context);
  if (context.rules.part > 1) dropGlyphLists(use.font);
  if (context.rules.unicode) completeToUnicode(use, context);
}

/** Removes the lists of the glyphs of a font, which only part 1 requires. */
function dropGlyphLists(font: Dict): void {
  const descendant = asDict(font.array('DescendantFonts')?.[0]);
  for (const owner of [font, descendant]) owner?.dict('FontDescriptor')?.delete('CIDSet', 'CharSet');
}

function graphOf(document: PdfDocument): ContentGraph {
  return readContentGraph(document, readPages(document).pages.map(applyInherited));
}
