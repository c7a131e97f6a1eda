import { applyInherited, PdfDocument, PdfError, readPages } from '@platen/pdf/objects';
import { readContentGraph } from '../content/graph.ts';
import { levelRules, type PdfaLevel } from '../levels.ts';
import type { Violation } from '../violation.ts';
import { checkAttachments } from './attachments.ts';
import { checkColours } from './colours.ts';
import { checkContent } from './content.ts';
import { checkFontNames, checkFonts } from './fonts.ts';
import { checkGraphics } from './graphics.ts';
import { checkInteraction } from './interaction.ts';
import { checkMetadata } from './metadata.ts';
import { checkObjects } from './objects.ts';
import { checkFontPrograms, checkUnicode } from './font-programs.ts';
import { Findings } from './findings.ts';
import { checkPages } from './page-boxes.ts';
import { checkSignatures } from './signatures.ts';
import { checkStructure } from './structure.ts';

/** Embedded files that are nested more deeply do not count as conforming. */
const MAX_DEPTH = 3;

/**
 * Parses a file and reports its violations of a level of PDF/A. Relies only on the bytes of the file, not on
 * the converter. Covers the clauses on files, not those on conforming readers.
 */
export function checkPdfa(pdf: Uint8Array, level: PdfaLevel): Violation[] {
  return checkNested(pdf, level, 0);
}

/** @param depth how many files the file is embedded in */
function checkNested(pdf: Uint8Array, level: PdfaLevel, depth: number): Violation[] {
  const findings = new Findings(levelRules(level));
  try {
    const document = PdfDocument.open(pdf);
    checkStructure(document, findings);
    if (findings.violations.length > 0) return findings.violations;
    checkObjects(document, findings);
    const read = readPages(document).pages;
    const inheriting = new Set(read.map(({ dict }) => dict).filter((page) => !page.dict('Resources')));
    const pages = read.map(applyInherited);
    const conforms = (file: Uint8Array, claimed: PdfaLevel) =>
      depth < MAX_DEPTH && checkNested(file, claimed, depth + 1).length === 0;
    const graph = readContentGraph(document, pages, inheriting);
    const context = { document, pages, graph, findings, conforms };
    checkPages(pages, findings);
    checkMetadata(context);
    checkAttachments(context);
    checkInteraction(context);
    checkSignatures(context);
    checkGraphics(context);
    const usage = checkContent(context);
    checkColours(context, usage);
    checkFonts(context, usage);
    checkFontNames(context, usage);
    checkFontPrograms(context, usage);
    checkUnicode(context, usage);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    findings.add('file', `the file ${error.message}`);
  }
  return findings.violations;
}
