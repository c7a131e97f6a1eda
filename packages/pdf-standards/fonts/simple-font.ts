import { compressedStream, name, type Dict } from '@platen/pdf/objects';
import { CffProgram } from '@platen/pdf/fonts';
import { codeKey } from '@platen/pdf/fonts';
import { writeToUnicode } from '@platen/pdf/fonts';
import type { FontContext, FontUse } from './font-use.ts';
import { charSet, completeDescriptor, NONSYMBOLIC, styleOf, SYMBOLIC } from '@platen/pdf/fonts';
import { readFontFile, type FontFile } from '@platen/pdf/fonts';
import { ENCODINGS, STANDARD_ENCODING, type CodeNames } from '@platen/pdf/fonts';
import { DamagedFont, type Program } from '@platen/pdf/fonts';
import { rebuildSimple, type SimpleGlyph } from './rebuild-simple.ts';
import { namesOf, readEncoding, type SimpleEncoding } from '@platen/pdf/fonts';
import { isValidProgram } from '@platen/pdf/fonts';
import { simpleWidths, writeWidths } from '@platen/pdf/fonts';
import { substituteSimple } from './substitute.ts';
import { TrueTypeProgram } from '@platen/pdf/fonts';
import { shownGlyph, strictGlyph, type GlyphSelection } from '@platen/pdf/fonts';
import { Type1Program } from '@platen/pdf/fonts';
import { unicodeOfName } from '@platen/pdf/fonts';

/**
 * The largest permitted difference of widths, in thousandths of an em (ISO 19005-1 6.3.6), with some room for
 * rounding by readers.
 */
const WIDTH_TOLERANCE = 0.9;

/**
 * Makes a simple font conform (ISO 19005-1 6.3). Keeps a program that conforms, rebuilds any other program
 * with the same glyphs and the widths of the dictionary, and embeds a similar font if visible text has no
 * program.
 */
export function embedSimpleFont(use: FontUse, context: FontContext): void {
  const { font } = use;
  const codes = codesOf(use);
  font.set('Type', name('Font'));
  if (font.name('BaseFont') === undefined)
    font.set('BaseFont', name(font.dict('FontDescriptor')?.name('FontName') ?? 'Unnamed'));
  const file = readFontFile(font.dict('FontDescriptor'), context.document.budget);
  if (!file) {
    if (use.visible) rebuildSimple(font, substituteSimple(font, codes, context), context);
    else writeHiddenWidths(font, codes, context);
    return;
  }
  try {
    keepOrRebuild(font, codes, file, context);
  } catch (error) {
    if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
    rebuildSimple(font, substituteSimple(font, codes, context), context);
  }
}

/**
 * Writes the widths of a font that shows only invisible text. It needs no program, but readers use its widths
 * to search and select the text.
 */
function writeHiddenWidths(font: Dict, codes: readonly number[], context: FontContext): void {
  const { glyphs } = substituteSimple(font, codes, { ...context, violations: [] });
  const widths = new Map(glyphs.map(({ code, width }) => [code, width]));
  writeWidths(font, { given: true, of: (code) => widths.get(code) }, codes);
}

function codesOf({ strings }: FontUse): number[] {
  const codes = new Set<number>();
  for (const text of strings) for (let at = 0; at < text.length; at++) codes.add(text.charCodeAt(at));
  // A font that shows only empty strings still needs a program: give it a space.
  return codes.size === 0 ? [32] : [...codes].toSorted((a, b) => a - b);
}

function keepOrRebuild(font: Dict, codes: readonly number[], file: FontFile, context: FontContext): void {
  const { program } = file;
  const widths = simpleWidths(font);
  const encoding = readEncoding(font);
  const glyphs = codes.map((code) => shownAs(font, code, file, encoding));
  const widthOf = (code: number, glyph: number): number =>
    widths.of(code) ?? (widths.given ? 0 : program.width(glyph));
  const agree = glyphs.every(
    ({ code, glyph }) => Math.abs(program.width(glyph) - widthOf(code, glyph)) <= WIDTH_TOLERANCE,
  );
  if (agree && !showsMissing(glyphs, program, context) && keepProgram(font, file, glyphs, encoding)) {
    writeWidths(
      font,
      { given: true, of: (code) => widthOf(code, glyphs[codes.indexOf(code)]?.glyph ?? 0) },
      codes,
    );
    return;
  }
  const drawn = glyphs.map(({ code, glyph, glyphName }): SimpleGlyph => ({
    code,
    name: glyphName,
    width: widthOf(code, glyph),
    outline: program.outline(glyph),
  }));
  rebuildSimple(font, { glyphs: drawn, unitsPerEm: program.unitsPerEm }, context);
}

/**
 * Tells whether text shows the glyph for missing characters, which parts 2 and 3 forbid (ISO 19005-2
 * 6.2.11.8).
 */
function showsMissing(glyphs: readonly Shown[], program: Program, { rules }: FontContext): boolean {
  if (rules.part === 1) return false;
  return glyphs.some(
    ({ glyph, glyphName }) =>
      glyph === 0 ||
      (!(program instanceof TrueTypeProgram) && (glyphName === undefined || glyphName === '.notdef')),
  );
}

interface Shown {
  code: number;
  glyph: number;
  glyphName: string | undefined;
}

/** Returns the glyph that readers show for a code, and the glyph name of the code. */
function shownAs(font: Dict, code: number, { program }: FontFile, encoding: SimpleEncoding): Shown {
  if (program instanceof TrueTypeProgram) {
    const selection = selectionOf(font, encoding);
    const fallback = selection.names ?? ENCODINGS['WinAnsiEncoding'] ?? [];
    return { code, glyph: shownGlyph(program, code, selection), glyphName: fallback[code] };
  }
  const builtIn = builtInEncoding(program);
  const glyphName = namesOf(encoding, builtIn)[code];
  const glyph = glyphName === undefined ? undefined : program.glyphOfName(glyphName);
  // If the program does not have the glyph name, most readers use the built-in encoding of the program.
  const builtInName = builtIn[code];
  const found = glyph ?? (builtInName === undefined ? undefined : program.glyphOfName(builtInName)) ?? 0;
  return { code, glyph: found, glyphName };
}

export function builtInEncoding(program: Program): CodeNames {
  if (program instanceof Type1Program) return program.encoding;
  return program instanceof CffProgram && !program.cidKeyed ? program.encoding : STANDARD_ENCODING;
}

function selectionOf(font: Dict, encoding: SimpleEncoding): GlyphSelection {
  const flags = font.dict('FontDescriptor')?.number('Flags') ?? 0;
  const symbolic = (flags & SYMBOLIC) !== 0 && (flags & NONSYMBOLIC) === 0;
  return { symbolic, names: encoding.given ? namesOf(encoding, STANDARD_ENCODING) : undefined };
}

/** Keeps the program and corrects the dictionaries. Returns false if the font would still not conform. */
function keepProgram(
  font: Dict,
  file: FontFile,
  glyphs: readonly Shown[],
  encoding: SimpleEncoding,
): boolean {
  if (
    !isValidProgram(
      file,
      glyphs.map(({ glyph }) => glyph),
    )
  )
    return false;
  const kept =
    file.program instanceof TrueTypeProgram
      ? keepTrueType(font, file, glyphs, encoding)
      : keepType1(font, file, glyphs, encoding);
  if (!kept) return false;
  const descriptor = font.dict('FontDescriptor');
  const base = font.name('BaseFont') ?? 'Unnamed';
  if (descriptor) completeDescriptor(descriptor, base, styleOf(base, descriptor));
  return true;
}

function keepTrueType(
  font: Dict,
  file: FontFile,
  glyphs: readonly Shown[],
  encoding: SimpleEncoding,
): boolean {
  const { program, key } = file;
  if (!(program instanceof TrueTypeProgram) || key !== 'FontFile2' || font.name('Subtype') !== 'TrueType')
    return false;
  const asIs = selectionOf(font, encoding);
  const plain = encoding.base !== undefined && encoding.differences.size === 0;
  const candidates: { selection: GlyphSelection; encoding: string | undefined }[] = [
    { selection: asIs, encoding: plain ? encoding.base : undefined },
    ...['WinAnsiEncoding', 'MacRomanEncoding'].map((base) => ({
      selection: { symbolic: false, names: ENCODINGS[base] },
      encoding: base,
    })),
    { selection: { symbolic: true, names: undefined }, encoding: undefined },
  ];
  const fitting = candidates.find(({ selection, encoding: base }) => {
    if (selection.symbolic ? base !== undefined || program.mapsDeclared !== 1 : !isAllowed(base))
      return false;
    return glyphs.every(
      ({ code, glyph, glyphName }) =>
        glyph !== 0 &&
        strictGlyph(program, code, selection) === glyph &&
        (selection.symbolic || !encoding.given || meansSame(selection.names?.[code], glyphName)),
    );
  });
  const descriptor = font.dict('FontDescriptor');
  if (!fitting || !descriptor) return false;
  const { symbolic } = fitting.selection;
  const flags = (descriptor.number('Flags') ?? 0) & ~(SYMBOLIC | NONSYMBOLIC);
  if (symbolic !== asIs.symbolic || descriptor.number('Flags') === undefined)
    descriptor.set('Flags', flags | (symbolic ? SYMBOLIC : NONSYMBOLIC));
  if (symbolic && encoding.given) addToUnicode(font, glyphs);
  font.set('Encoding', fitting.encoding === undefined ? undefined : name(fitting.encoding));
  return true;
}

function meansSame(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && unicodeOfName(one) === unicodeOfName(other);
}

function isAllowed(base: string | undefined): boolean {
  return base === 'WinAnsiEncoding' || base === 'MacRomanEncoding';
}

/** Adds a ToUnicode map, because the encoding that identifies the characters is removed. */
function addToUnicode(font: Dict, glyphs: readonly Shown[]): void {
  if (font.get('ToUnicode')) return;
  const texts = new Map<number, string>();
  for (const { code, glyphName } of glyphs) {
    const text = glyphName === undefined ? undefined : unicodeOfName(glyphName);
    if (text !== undefined) texts.set(codeKey(code, 1), text);
  }
  if (texts.size > 0) font.set('ToUnicode', writeToUnicode(texts));
}

function keepType1(font: Dict, file: FontFile, glyphs: readonly Shown[], encoding: SimpleEncoding): boolean {
  const { program, key } = file;
  const subtype = font.name('Subtype');
  if (program instanceof TrueTypeProgram || (subtype !== 'Type1' && subtype !== 'MMType1')) return false;
  if (program instanceof CffProgram && program.cidKeyed) return false;
  // Some readers compute wrong widths for multiple master instances.
  if (program instanceof Type1Program && (program.hasMasters || key !== 'FontFile')) return false;
  const names = namesOf(encoding, builtInEncoding(program));
  const found = glyphs.every(({ code, glyph }) => {
    const glyphName = names[code];
    return glyphName !== undefined && glyphName !== '.notdef' && program.glyphOfName(glyphName) === glyph;
  });
  if (!found) return false;
  const descriptor = font.dict('FontDescriptor');
  if (!descriptor) return false;
  if (program instanceof CffProgram && (key !== 'FontFile3' || file.subtype !== 'Type1C')) {
    descriptor
      .delete('FontFile', 'FontFile2')
      .set('FontFile3', compressedStream(file.bytes, { Subtype: name('Type1C') }));
  }
  if (/^[A-Z]{6}\+/.test(font.name('BaseFont') ?? '')) descriptor.set('CharSet', charSet(program.glyphNames));
  return true;
}
