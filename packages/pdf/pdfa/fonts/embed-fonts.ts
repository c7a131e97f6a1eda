import { readPages, type Dict, type PdfDocument } from '../../objects/index.ts';
import { readContentGraph, type ContentGraph } from '../content/graph.ts';
import { PdfaError, type Violation } from '../violation.ts';
import { embedCompositeFont } from './composite-font.ts';
import { type FontContext, readFontUses, type FontUse } from './font-use.ts';
import { embedSimpleFont } from './simple-font.ts';
import { repairType3Font } from './type3-font.ts';

/**
 * Makes the fonts in which a document shows text conform to PDF/A-1b (ISO 19005-1 6.3). Embeds missing programs, rebuilds incorrect ones
 * and completes the dictionaries. Widths and the position of text stay the same. Unused fonts stay unchanged.
 * @throws {PdfaError} with a violation for each font that cannot be made to conform.
 */
export function embedFonts(document: PdfDocument, graph: ContentGraph = graphOf(document)): void {
  const violations: Violation[] = [];
  let programs = 0;
  const context: FontContext = { document, violations, next: () => programs++ };
  for (const use of readFontUses(graph)) embedFont(use, context);
  if (violations.length > 0) throw new PdfaError(violations);
}

function embedFont(use: FontUse, context: FontContext): void {
  const subtype = use.font.name('Subtype');
  if (subtype === 'Type0') embedCompositeFont(use, context);
  else if (subtype === 'Type3') repairType3Font(use, context);
  else embedSimpleFont(use, context);
}

function graphOf(document: PdfDocument): ContentGraph {
  const pages = readPages(document).pages.map(({ dict, inherited }): Dict => {
    for (const [key, value] of inherited) dict.set(key, value);
    return dict;
  });
  return readContentGraph(document, pages);
}
