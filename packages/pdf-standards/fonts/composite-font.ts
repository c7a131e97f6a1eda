import {
  asDict,
  compressedStream,
  decodeStream,
  Dict,
  name,
  Name,
  PdfStream,
  Ref,
  type PdfDocument,
} from '@platen/pdf/objects';
import { CffProgram } from '@platen/pdf/fonts';
import { readCMap, splitKey, type CMap } from '@platen/pdf/fonts';
import { systemInfo } from '@platen/pdf/fonts';
import { cidWidths } from '@platen/pdf/fonts';
import { ensureEmbeddedCMap, type Composite } from './composite.ts';
import type { FontContext, FontUse } from './font-use.ts';
import { cidSet, completeDescriptor, styleOf } from '@platen/pdf/fonts';
import { readFontFile, type FontFile } from '@platen/pdf/fonts';
import { predefinedCMap } from '@platen/pdf/fonts';
import { GlyphOutline } from '@platen/pdf/fonts';
import { DamagedFont } from '@platen/pdf/fonts';
import { rebuildComposite, type CidGlyph } from './rebuild-composite.ts';
import { isValidProgram } from '@platen/pdf/fonts';
import { substituteComposite } from './substitute-composite.ts';
import { TrueTypeProgram } from '@platen/pdf/fonts';

/**
 * The largest permitted difference of widths, in thousandths of an em (ISO 19005-1 6.3.6), with some room for
 * rounding by readers.
 */
const WIDTH_TOLERANCE = 0.9;

/**
 * Makes a composite font conform (ISO 19005-1 6.3.3 to 6.3.6). Keeps a program that has all glyphs and agrees
 * with the widths of the dictionary, rebuilds any other program with the same glyphs, and embeds a similar
 * font if visible text has no program.
 */
export function embedCompositeFont(use: FontUse, context: FontContext): void {
  const isBlank = !descendantOf(use.font);
  const composite = readComposite(use, context);
  if (!composite) return;
  if (isBlank) {
    const glyphs = new Map(
      [...composite.cids.values()].map((cid) => [cid, { width: 1000, outline: new GlyphOutline() }]),
    );
    rebuildComposite(composite, { glyphs, unitsPerEm: 1000 }, context);
    return;
  }
  const { descendant } = composite;
  const file = readFontFile(descendant.dict('FontDescriptor'), context.document.budget);
  if (file) {
    try {
      keepOrRebuild(composite, file, context);
      return;
    } catch (error) {
      if (!(error instanceof DamagedFont) && !(error instanceof RangeError)) throw error;
    }
  }
  if (composite.visible) substituteComposite(composite, context);
  else ensureEmbeddedCMap(composite);
}

function readComposite({ font, strings, visible }: FontUse, context: FontContext): Composite | undefined {
  const descendant = descendantOf(font) ?? blankDescendant(font);
  const encoding = font.get('Encoding');
  const cmapName = encoding instanceof Name ? encoding.value : undefined;
  const cmap =
    encoding instanceof PdfStream ? readStream(encoding, context) : predefinedCMap(cmapName ?? 'Identity-H');
  if (!cmap) {
    context.violations.push({ rule: 'cmaps', message: `the CMap ${cmapName ?? ''} is unknown` });
    return undefined;
  }
  for (const dict of [font, descendant]) dict.set('Type', name('Font'));
  const baseFont = descendant.name('BaseFont') ?? font.name('BaseFont') ?? 'Unnamed';
  if (descendant.name('BaseFont') === undefined) descendant.set('BaseFont', name(baseFont));
  if (font.name('BaseFont') === undefined) font.set('BaseFont', name(baseFont));
  const cids = new Map<number, number>();
  for (const text of strings)
    for (const key of cmap.codes(Buffer.from(text, 'latin1')))
      if (!cids.has(key)) cids.set(key, cmap.cid(key) ?? 0);
  return { font, descendant, cmap, cmapName, cids, widths: cidWidths(descendant), visible };
}

function descendantOf(font: Dict): Dict | undefined {
  const list = font.get('DescendantFonts');
  return asDict(Array.isArray(list) ? list[0] : list);
}

/** Adds an empty descendant to a font without a descendant. Readers do not show the text of such a font. */
function blankDescendant(font: Dict): Dict {
  const descendant = Dict.of({
    Subtype: name('CIDFontType0'),
    CIDSystemInfo: systemInfo({ registry: 'Adobe', ordering: 'Identity', supplement: 0 }),
  });
  font.set('DescendantFonts', [Ref.to(descendant)]);
  return descendant;
}

function readStream(stream: PdfStream, { document }: FontContext): CMap | undefined {
  const data = decodeStream(stream, document.budget);
  if (!data) return undefined;
  const map = readCMap(data, predefinedCMap);
  const base = stream.dict.get('UseCMap');
  if (base instanceof Name) map.parent ??= predefinedCMap(base.value);
  return map;
}

/** Returns the glyph of a CID in an embedded program, or `undefined` if the program has no such glyph. */
export type Glyphs = (cid: number) => number | undefined;

function keepOrRebuild(composite: Composite, file: FontFile, context: FontContext): void {
  const { program } = file;
  const { cids, widths } = composite;
  const glyphOf = glyphsOf(composite.descendant, file, context.document);
  const fits = [...cids].every(([key, cid]) => {
    const glyph = glyphOf(cid);
    if (glyph === undefined || (cid === 0 && splitKey(key).value !== 0)) return false;
    // Parts 2 and 3 forbid the glyph for missing characters (ISO 19005-2 6.2.11.8).
    if (context.rules.part > 1 && (cid === 0 || glyph === 0)) return false;
    return Math.abs(program.width(glyph) - widths.of(cid)) <= WIDTH_TOLERANCE;
  });
  const shown = [...new Set(cids.values())].map((cid) => glyphOf(cid) ?? 0);
  if (fits && isValidProgram(file, shown) && keepProgram(composite, file, glyphOf)) {
    ensureEmbeddedCMap(composite);
    return;
  }
  const glyphs = new Map<number, CidGlyph>();
  for (const cid of new Set(cids.values()))
    glyphs.set(cid, { width: widths.of(cid), outline: program.outline(glyphOf(cid) ?? 0) });
  rebuildComposite(composite, { glyphs, unitsPerEm: program.unitsPerEm }, context);
}

/** Returns the mapping from CIDs to glyphs of a CIDFont. */
export function glyphsOf(descendant: Dict, { program }: FontFile, document: PdfDocument): Glyphs {
  const map = descendant.get('CIDToGIDMap');
  const data = map instanceof PdfStream ? decodeStream(map, document.budget) : undefined;
  const within = (glyph: number): number | undefined => (glyph < program.glyphCount ? glyph : undefined);
  if (data)
    return (cid) =>
      2 * cid + 1 < data.length ? within(((data[2 * cid] ?? 0) << 8) | (data[2 * cid + 1] ?? 0)) : undefined;
  if (program instanceof CffProgram) return (cid) => program.glyphOfCid(cid);
  return within;
}

/** Keeps the program and corrects the dictionaries. Returns false if the font would still not conform. */
function keepProgram({ descendant }: Composite, file: FontFile, glyphOf: Glyphs): boolean {
  const { program, key, subtype, bytes } = file;
  const descriptor = descendant.dict('FontDescriptor');
  if (!descriptor) return false;
  const isTrueType = program instanceof TrueTypeProgram;
  if (descendant.name('Subtype') !== (isTrueType ? 'CIDFontType2' : 'CIDFontType0')) return false;
  if (isTrueType) {
    if (key !== 'FontFile2')
      descriptor.delete('FontFile3').set('FontFile2', compressedStream(bytes, { Length1: bytes.length }));
    const map = descendant.get('CIDToGIDMap');
    if (!(map instanceof PdfStream)) descendant.set('CIDToGIDMap', name('Identity'));
  } else if (program instanceof CffProgram) {
    // Readers disagree on whether CIDToGIDMap applies to CFF programs.
    if (descendant.get('CIDToGIDMap') instanceof PdfStream) return false;
    descendant.delete('CIDToGIDMap');
    if (key !== 'FontFile3' || subtype !== 'CIDFontType0C')
      descriptor
        .delete('FontFile', 'FontFile2')
        .set('FontFile3', compressedStream(bytes, { Subtype: name('CIDFontType0C') }));
  } else return false;
  const baseFont = descendant.name('BaseFont') ?? 'Unnamed';
  const mapped = isTrueType ? descendant.get('CIDToGIDMap') instanceof PdfStream : program.cidKeyed;
  const last = mapped ? 65_536 : program.glyphCount;
  completeDescriptor(descriptor, baseFont, styleOf(baseFont, descriptor));
  if (/^[A-Z]{6}\+/.test(baseFont) || descriptor.get('CIDSet'))
    descriptor.set('CIDSet', cidSet(cidsWithGlyphs(glyphOf, { last, mapped: isTrueType && mapped })));
  return true;
}

/**
 * Yields the CIDs for which a program has glyphs.
 * @param last the first CID that is not looked up
 * @param mapped whether a CIDToGIDMap maps the CIDs; CIDs that it maps to glyph 0 are present too
 */
export function* cidsWithGlyphs(
  glyphOf: Glyphs,
  { last, mapped }: { last: number; mapped: boolean },
): Iterable<number> {
  for (let cid = 0; cid < last; cid++) {
    const glyph = glyphOf(cid);
    if (glyph !== undefined && (glyph !== 0 || cid === 0 || mapped)) yield cid;
  }
}
