import { PdfDocument, PdfError, readPages } from '../../objects/index.ts';
import { readContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';
import { checkColours } from './colours.ts';
import { checkContent } from './content.ts';
import { checkFonts } from './fonts.ts';
import { checkGraphics } from './graphics.ts';
import { checkInteraction } from './interaction.ts';
import { checkMetadata } from './metadata.ts';
import { checkObjects } from './objects.ts';
import { checkFontPrograms } from './font-programs.ts';
import { Findings } from './findings.ts';
import { checkStructure } from './structure.ts';

/**
 * Parses a file and reports its violations of ISO 19005-1, level B. It relies only on the bytes of the file, not on the converter. It
 * covers every clause that concerns the file itself, but not the clauses on conforming readers.
 */
export function checkPdfa(pdf: Uint8Array): Violation[] {
  const findings = new Findings();
  try {
    const document = PdfDocument.open(pdf);
    checkStructure(document, findings);
    if (findings.violations.length > 0) return findings.violations;
    checkObjects(document, findings);
    const pages = readPages(document).pages.map(({ dict, inherited }) => {
      for (const [key, value] of inherited) dict.set(key, value);
      return dict;
    });
    const context = { document, pages, graph: readContentGraph(document, pages), findings };
    checkMetadata(context);
    checkInteraction(context);
    checkGraphics(context);
    const usage = checkContent(context);
    checkColours(context, usage);
    checkFonts(context, usage);
    checkFontPrograms(context, usage);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    findings.add('6.1.1', `the file ${error.message}`);
  }
  return findings.violations;
}
