import { PdfDocument, PdfError, readPages, resolve, Dict } from '../../objects/index.ts';
import { readContentGraph } from '../content/graph.ts';
import type { Violation } from '../violation.ts';
import { checkColours } from './colours.ts';
import { checkContent } from './content.ts';
import { checkFonts } from './fonts.ts';
import { checkGraphics } from './graphics.ts';
import { checkInteraction } from './interaction.ts';
import { checkMetadata } from './metadata.ts';
import { checkObjects } from './objects.ts';
import { checkPrograms } from './programs.ts';
import { Findings } from './report.ts';
import { checkStructure } from './structure.ts';

/**
 * Reads a file anew and tells what of it breaks ISO 19005-1, level B; nothing is believed that the converter meant. It looks at all
 * clauses that a conversion touches, and not at what only a viewer can get wrong.
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
    const checked = { document, pages, graph: readContentGraph(document, pages), findings };
    checkMetadata(checked);
    checkInteraction(checked);
    checkGraphics(checked);
    const drawn = checkContent(checked);
    checkColours(checked, drawn);
    checkFonts(checked, drawn);
    checkPrograms(checked, drawn);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    findings.add('6.1.1', error.message);
  }
  return findings.violations;
}

/** Reads a dictionary that an entry must be. */
export function dictOf(owner: Dict, key: string): Dict | undefined {
  const value = resolve(owner.raw(key));
  return value instanceof Dict ? value : undefined;
}
