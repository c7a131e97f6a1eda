import { Dict, resolve, type PdfDocument } from '@platen/pdf/objects';
import { cidWidths } from '@platen/pdf/fonts';
import { CffProgram } from '@platen/pdf/fonts';
import { glyphsOf } from '../fonts/composite-font.ts';
import { SYMBOLIC } from '@platen/pdf/fonts';
import { readFontFile, type FontFile } from '@platen/pdf/fonts';
import { cmapOf, toUnicodeOf } from '@platen/pdf/fonts';
import { DamagedFont } from '@platen/pdf/fonts';
import { namesOf, readEncoding } from '@platen/pdf/fonts';
import { builtInEncoding } from '../fonts/simple-font.ts';
import { simpleWidths } from '@platen/pdf/fonts';
import { isValidProgram } from '@platen/pdf/fonts';
import { TrueTypeProgram } from '@platen/pdf/fonts';
import { strictGlyph, symbolGlyph } from '@platen/pdf/fonts';
import { Type1Program } from '@platen/pdf/fonts';
import { unicodeOfName } from '@platen/pdf/fonts';
import { isAllowedText, shownCodes } from '../fonts/unicode-text.ts';
import type { LevelRules } from '../levels.ts';
import type { ContentUsage } from './content.ts';
import { checkCMap } from './cmaps.ts';
import { labelOf } from './fonts.ts';
import { checkCharSet, checkCidSet } from './glyph-lists.ts';
import type { CheckContext, Findings } from './findings.ts';
import { checkType3Font } from './type3-fonts.ts';

/**
 * The largest permitted difference of widths, in thousandths of an em (ISO 19005-1 6.3.6), with some room for
 * rounding.
 */
const TOLERANCE = 1.001;

/**
 * Checks that every character has Unicode text (ISO 19005-2 6.2.11.7.2), including the characters of
 * invisible text.
 */
export function checkUnicode({ document, findings }: CheckContext, usage: ContentUsage): void {
  if (!findings.rules.unicode) return;
  for (const [font, strings] of [...usage.fonts, ...usage.invisibleFonts]) {
    const texts = toUnicodeOf(font, document);
    const names = font.name('Subtype') === 'Type0' ? [] : namesOf(readEncoding(font), []);
    findings.expect(
      [...shownCodes(font, strings, document)].every((key) => {
        const named = texts.has(key) ? undefined : names[key & 0xff];
        return isAllowedText(texts.get(key) ?? (named === undefined ? undefined : unicodeOfName(named)));
      }),
      'unicode',
      `${labelOf(font)} shows characters without Unicode text`,
    );
  }
}

/** A font and the strings shown in it. */
interface Use {
  font: Dict;
  strings: ReadonlySet<string>;
}

/** A shown glyph, `undefined` if the program does not have it, and its width in the font dictionary. */
interface Shown {
  glyph: number | undefined;
  width: number;
}

/**
 * Checks the font programs of visible text. They must be valid for strict readers, contain every shown glyph,
 * and agree with the widths in the font dictionaries (6.3.4 to 6.3.6).
 */
export function checkFontPrograms({ document, findings }: CheckContext, { fonts }: ContentUsage): void {
  for (const [font, strings] of fonts) {
    if (font.name('Subtype') === 'Type3') {
      checkType3Font({ font, strings }, document, findings);
      continue;
    }
    const label = labelOf(font);
    try {
      checkProgram({ font, strings }, document, { label, findings });
    } catch (error) {
      if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
      findings.add('embedding', `${label} has a damaged font program`);
    }
  }
}

function checkProgram(use: Use, document: PdfDocument, to: { label: string; findings: Findings }): void {
  const { label, findings } = to;
  const descendant = resolve(use.font.array('DescendantFonts')?.[0]);
  const owner = descendant instanceof Dict ? descendant : use.font;
  const file = readFontFile(owner.dict('FontDescriptor'), document.budget);
  if (!file || !hasDeclaredFormat(owner.name('Subtype') ?? '', file, findings.rules)) {
    findings.add('embedding', `${label} has a font program that cannot be read`);
    return;
  }
  const listed = { font: owner, file, ...to };
  if (owner === use.font) checkCharSet(listed);
  else {
    checkCidSet(listed, document);
    checkCMap({ font: use.font, descendant: owner, label }, document, findings);
  }
  if (owner === use.font && file.program instanceof TrueTypeProgram) checkMaps(use.font, file.program, to);
  const shown = owner === use.font ? shownOfSimple(use, file) : shownOfComposite(use, owner, file, document);
  const glyphs = shown.flatMap(({ glyph }) => glyph ?? []);
  findings.expect(isValidProgram(file, glyphs), 'embedding', `${label} has a damaged font program`);
  findings.expect(
    glyphs.length === shown.length,
    'subsets',
    `${label} does not have a glyph for every shown character`,
  );
  if (findings.rules.part > 1)
    findings.expect(
      glyphs.every((glyph) => glyph !== 0),
      'missingGlyphs',
      `${label} shows the glyph for missing characters`,
    );
  findings.expect(
    shown.every(
      ({ glyph, width }) => glyph === undefined || Math.abs(file.program.width(glyph) - width) <= TOLERANCE,
    ),
    'widths',
    `${label} has different widths in its font program and its dictionary`,
  );
}

/**
 * Checks the number of character maps of a simple TrueType font (ISO 19005-1 6.3.7, ISO 19005-2 6.2.11.6).
 */
function checkMaps(font: Dict, program: TrueTypeProgram, to: { label: string; findings: Findings }): void {
  const symbolic = ((font.dict('FontDescriptor')?.number('Flags') ?? 0) & SYMBOLIC) !== 0;
  const { mapsDeclared: count } = program;
  const hasSymbolMap = program.map(3, 0) !== undefined;
  const { part } = to.findings.rules;
  const isSymbolic = count === 1 || (part > 1 && hasSymbolMap);
  const isNonsymbolic = part === 1 || count > (hasSymbolMap ? 1 : 0);
  to.findings.expect(
    symbolic ? isSymbolic : isNonsymbolic,
    'encodings',
    `${to.label} does not have the character maps that its program needs`,
  );
  const differences = font.dict('Encoding')?.array('Differences') ?? [];
  to.findings.expect(
    symbolic || differences.length === 0 || program.map(3, 1) !== undefined,
    'encodings',
    `${to.label} has Differences but no Unicode character map`,
  );
}

/** The types of fonts whose programs may be TrueType, and all types of CID fonts. */
const TRUETYPE = new Set(['TrueType', 'CIDFontType2']);
const CID_FONTS = new Set(['CIDFontType0', 'CIDFontType2']);

/**
 * Tells whether the format of a program is the one that the type of the font, its entry and its subtype
 * declare (ISO 32000-1 table 126).
 */
function hasDeclaredFormat(
  type: string,
  { program, key, isInOpenType, subtype }: FontFile,
  { part }: LevelRules,
): boolean {
  const isTrueType = program instanceof TrueTypeProgram;
  if (key === 'FontFile') return program instanceof Type1Program && /^(?:MM)?Type1$/.test(type);
  if (key === 'FontFile2') return isTrueType && TRUETYPE.has(type);
  if (subtype === 'OpenType') return part > 1 && (isTrueType ? TRUETYPE.has(type) : isInOpenType);
  if (!(program instanceof CffProgram) || isInOpenType || type === 'TrueType') return false;
  return subtype === (CID_FONTS.has(type) ? 'CIDFontType0C' : 'Type1C');
}

function shownOfSimple({ font, strings }: Use, { program }: FontFile): Shown[] {
  const codes = new Set([...strings].flatMap((text) => [...Buffer.from(text, 'latin1')]));
  const encoding = readEncoding(font);
  const widths = simpleWidths(font);
  // checkFonts reports missing widths.
  if (!widths.given) return [];
  const symbolic = ((font.dict('FontDescriptor')?.number('Flags') ?? 0) & SYMBOLIC) !== 0;
  const names = namesOf(encoding, program instanceof TrueTypeProgram ? [] : builtInEncoding(program));
  return [...codes].map((code) => {
    const width = widths.of(code) ?? 0;
    if (program instanceof TrueTypeProgram) {
      const glyph = strictGlyph(program, code, { symbolic, names });
      return { width, glyph: glyph || (symbolic && symbolGlyph(program, code)) || undefined };
    }
    const glyphName = names[code];
    return { width, glyph: glyphName === undefined ? undefined : program.glyphOfName(glyphName) };
  });
}

function shownOfComposite(
  { font, strings }: Use,
  descendant: Dict,
  file: FontFile,
  document: PdfDocument,
): Shown[] {
  const cmap = cmapOf(font, document);
  if (!cmap) return [{ glyph: undefined, width: 0 }];
  const cids = new Set<number>();
  for (const text of strings)
    for (const key of cmap.codes(Buffer.from(text, 'latin1'))) cids.add(cmap.cid(key) ?? 0);
  const glyphOf = glyphsOf(descendant, file, document);
  const widths = cidWidths(descendant);
  return [...cids].map((cid) => ({ glyph: glyphOf(cid), width: widths.of(cid) }));
}
