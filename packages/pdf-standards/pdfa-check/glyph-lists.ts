import { decodeStream, PdfStream, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { CffProgram } from '@platen/pdf/fonts';
import type { FontFile } from '@platen/pdf/fonts';
import { TrueTypeProgram } from '@platen/pdf/fonts';
import { Type1Program } from '@platen/pdf/fonts';
import { cidsWithGlyphs, glyphsOf } from '../fonts/composite-font.ts';
import type { Findings } from './findings.ts';

/**
 * The name of a subset begins with a tag of six letters (ISO 32000-1 9.6.4). Only subsets need to list their
 * glyphs.
 */
export const SUBSET = /^[A-Z]{6}\+/;

/** A font and the collector of its violations. */
interface Listed {
  font: Dict;
  file: FontFile;
  label: string;
  findings: Findings;
}

/**
 * Checks that the CharSet of a Type 1 subset lists the glyphs of the program (ISO 19005-1 6.3.5, ISO 19005-2
 * 6.2.11.4.2).
 */
export function checkCharSet({ font, file: { program }, label, findings }: Listed): void {
  const set = font.dict('FontDescriptor')?.string('CharSet');
  const isType1 = font.name('Subtype') === 'Type1' || font.name('Subtype') === 'MMType1';
  if (!set || !isType1 || !SUBSET.test(font.name('BaseFont') ?? '')) return;
  if (!(program instanceof CffProgram) && !(program instanceof Type1Program)) return;
  const listed = new Set(set.key.split('/').map((name) => name.trim()));
  const glyphs = program.glyphNames.filter((name) => name !== '.notdef');
  findings.expect(
    glyphs.every((name) => listed.has(name)),
    'subsets',
    `${label} has a CharSet that does not list every glyph`,
  );
}

/**
 * Checks that the CIDSet of a subset lists every CID that has a glyph (ISO 19005-1 6.3.5, ISO 19005-2
 * 6.2.11.4.2). Like veraPDF, counts no CIDs in CFF programs whose glyphs have names, and in parts 2 and 3
 * rejects a CIDSet that lists other CIDs.
 */
export function checkCidSet({ font, file, label, findings }: Listed, document: PdfDocument): void {
  const set = font.dict('FontDescriptor')?.get('CIDSet');
  if (!(set instanceof PdfStream) || !SUBSET.test(font.name('BaseFont') ?? '')) return;
  const listed = decodeStream(set, document.budget) ?? new Uint8Array();
  const lists = (cid: number) => ((listed[cid >> 3] ?? 0) & (128 >> (cid & 7))) !== 0;
  const { program } = file;
  const { part } = findings.rules;
  const isMapped = font.get('CIDToGIDMap') instanceof PdfStream || !(program instanceof TrueTypeProgram);
  const last = isMapped ? 65_536 : program.glyphCount;
  const hasCids = !(program instanceof CffProgram) || program.cidKeyed;
  const cids = hasCids
    ? cidsWithGlyphs(glyphsOf(font, file, document), { last, mapped: isMapped && part > 1 })
    : [];
  const present = new Set([...cids].filter((cid) => cid > 0));
  let hasOthers = false;
  for (let cid = 1; cid < listed.length * 8; cid++) hasOthers ||= lists(cid) && !present.has(cid);
  findings.expect(
    [...present].every(lists) && (part === 1 || !hasOthers),
    'subsets',
    `${label} has a CIDSet that does not list exactly the glyphs of the program`,
  );
}
