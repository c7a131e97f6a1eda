import { readPages, type PdfDocument } from '../../objects/index.ts';
import { readContentGraph } from '../../pdfa/content/graph.ts';
import { checkContent } from '../../pdfa/check/content.ts';
import { checkFontPrograms, checkUnicode } from '../../pdfa/check/font-programs.ts';
import { checkFonts as checkDictionaries } from '../../pdfa/check/fonts.ts';
import { Findings } from '../../pdfa/check/findings.ts';
import { levelRules, type Rule } from '../../pdfa/levels.ts';
import type { UaFindings } from './findings.ts';

/** The clauses of ISO 14289-1 that have the same text as the clauses of ISO 19005-2 about fonts. */
const CLAUSES: Partial<Record<Rule, string>> = {
  fontDictionaries: '7.21.3',
  collections: '7.21.3.1',
  cidMaps: '7.21.3.2',
  cmaps: '7.21.3.3',
  embedding: '7.21.4.1',
  subsets: '7.21.4.2',
  widths: '7.21.5',
  encodings: '7.21.6',
  unicode: '7.21.7',
  missingGlyphs: '7.21.8',
};

/** Checks fonts (7.21) as for PDF/A-2u, whose requirements are the same. */
export function checkUaFonts(document: PdfDocument, findings: UaFindings): void {
  const pages = readPages(document).pages.map(({ dict, inherited }) => {
    for (const [key, value] of inherited) dict.set(key, value);
    return dict;
  });
  const level = levelRules('2u');
  const own = new Findings({ ...level, clauses: { ...level.clauses, ...CLAUSES } });
  const graph = readContentGraph(document, pages);
  const context = { document, pages, graph, findings: own, conforms: () => true };
  const usage = checkContent(context);
  checkDictionaries(context, usage);
  checkFontPrograms(context, usage);
  checkUnicode(context, usage);
  const clauses = new Set(Object.values(CLAUSES));
  for (const { clause, message } of own.violations) if (clauses.has(clause)) findings.add(clause, message);
}
