import { decodeStream, PdfStream, readContent, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { namesOf, readEncoding } from '@platen/pdf/fonts';
import { simpleWidths } from '@platen/pdf/fonts';
import type { Findings } from './findings.ts';

/** The largest permitted difference of widths, in the units of the glyphs. */
const TOLERANCE = 1.001;

/**
 * Checks that a Type 3 font has a procedure for each shown character, with the width in the font dictionary
 * (6.3.5, 6.3.6).
 */
export function checkType3Font(
  { font, strings }: { font: Dict; strings: ReadonlySet<string> },
  document: PdfDocument,
  findings: Findings,
): void {
  const names = namesOf(readEncoding(font), []);
  const widths = simpleWidths(font);
  const procedures = font.dict('CharProcs');
  for (const code of new Set([...strings].flatMap((text) => [...Buffer.from(text, 'latin1')]))) {
    const procedure = procedures?.get(names[code] ?? '');
    if (!(procedure instanceof PdfStream)) {
      findings.add('subsets', 'a Type 3 font does not have a glyph for every shown character');
      continue;
    }
    findings.expect(
      Math.abs(widthOf(procedure, document) - (widths.of(code) ?? 0)) <= TOLERANCE,
      'widths',
      'a Type 3 font has different widths in its glyphs and its dictionary',
    );
  }
}

/** Returns the width that a glyph procedure declares; 0 without a declaration. */
function widthOf(procedure: PdfStream, { budget }: PdfDocument): number {
  for (const { operator, operands } of readContent(decodeStream(procedure, budget) ?? new Uint8Array()))
    if (operator === 'd0' || operator === 'd1') return typeof operands[0] === 'number' ? operands[0] : 0;
  return 0;
}
