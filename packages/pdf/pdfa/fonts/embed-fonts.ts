import { readPages, type Dict, type PdfDocument } from '../../objects/index.ts';
import { readContentGraph, type ContentGraph } from '../content/graph.ts';
import { PdfaError, type Violation } from '../violation.ts';
import { embedCompositeFont } from './composite-font.ts';
import type { FontContext } from './context.ts';
import { embedSimpleFont } from './simple-font.ts';
import { repairType3Font } from './type3-font.ts';
import { readFontUses, type FontUse } from './usage.ts';

/**
 * Makes the fonts in which a document shows text conform to PDF/A-1b (ISO 19005-1 6.3), in its graph of objects: missing programs are
 * embedded, wrong ones made anew, what the dictionaries lack is put in. The look stays, as the widths by which text is placed do.
 * Fonts in which nothing is shown are left alone.
 * @throws {PdfaError} for fonts that cannot be made to conform, all of them at once.
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
