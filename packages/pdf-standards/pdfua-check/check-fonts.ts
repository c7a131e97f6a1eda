import { readPages, standalone, type PdfDocument } from '@platen/pdf/objects';
import { readContentGraph } from '../content/graph.ts';
import { checkContent } from '../pdfa-check/content.ts';
import { checkFontPrograms, checkUnicode } from '../pdfa-check/font-programs.ts';
import { checkFonts as checkDictionaries } from '../pdfa-check/fonts.ts';
import { Findings } from '../pdfa-check/findings.ts';
import { levelRules, type Rule } from '../levels.ts';
import type { UaFindings } from './findings.ts';

/** The clause of ISO 14289-1 for each rule about fonts that it shares with ISO 19005-2. */
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

/** Checks fonts (7.21) with the rules of PDF/A-2u, which are the same. */
export function checkUaFonts(document: PdfDocument, findings: UaFindings): void {
  const pages = readPages(document).pages.map(standalone);
  const level = levelRules('2u');
  const pdfaFindings = new Findings({ ...level, clauses: { ...level.clauses, ...CLAUSES } });
  const graph = readContentGraph(document, pages);
  const context = { document, pages, graph, findings: pdfaFindings, conforms: () => true };
  const usage = checkContent(context);
  checkDictionaries(context, usage);
  checkFontPrograms(context, usage);
  checkUnicode(context, usage);
  const uaClauses = new Set(Object.values(CLAUSES));
  for (const { clause, message } of pdfaFindings.violations)
    if (uaClauses.has(clause)) findings.add(clause, message);
}
