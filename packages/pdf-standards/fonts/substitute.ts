import type { Dict } from '@platen/pdf/objects';
import { codeKey } from '@platen/pdf/fonts';
import { toUnicodeOf } from '@platen/pdf/fonts';
import type { FontContext } from './font-use.ts';
import { plainName, styleOf } from '@platen/pdf/fonts';
import { facesFor, fallbackFaces, symbolProgram, type Face } from '@platen/pdf/fonts';
import { ENCODINGS, STANDARD_ENCODING } from '@platen/pdf/fonts';
import { GlyphOutline } from '@platen/pdf/fonts';
import type { SimpleGlyph, SimpleRebuild } from './rebuild-simple.ts';
import { namesOf, readEncoding } from '@platen/pdf/fonts';
import { simpleWidths } from '@platen/pdf/fonts';
import { standardWidth } from '@platen/pdf/fonts';
import { SYMBOL_ENCODINGS } from '@platen/pdf/fonts';
import { unicodeOfName } from '@platen/pdf/fonts';
import type { Breach } from '../violation.ts';

/** A glyph of another font for a character. */
interface Substitute {
  outline: GlyphOutline;
  /** The width of the glyph in its own font, in thousandths of an em. */
  width: number;
}

/**
 * Returns the glyphs of a similar font for a simple font that is not embedded. Reports a violation for
 * characters that no available font has, because text must not disappear.
 */
export function substituteSimple(font: Dict, codes: readonly number[], context: FontContext): SimpleRebuild {
  const base = plainName(font.name('BaseFont') ?? '');
  const symbols = /^symbol/i.test(base) ? 'symbol' : /dingbats/i.test(base) ? 'dingbats' : undefined;
  const widths = simpleWidths(font);
  const symbolFont = symbols && symbolProgram(symbols);
  const trueType = font.name('Subtype') === 'TrueType';
  const fallback =
    (symbols && SYMBOL_ENCODINGS[symbols]) ??
    (trueType ? (ENCODINGS['WinAnsiEncoding'] ?? []) : STANDARD_ENCODING);
  const names = namesOf(readEncoding(font), fallback);
  const meanings = toUnicodeOf(font, context.document);
  const style = styleOf(base, font.dict('FontDescriptor'));
  const faces = facesFor(style, /narrow|condensed/i.test(base), undefined);
  const missing: string[] = [];
  const glyphs = codes.map((code): SimpleGlyph => {
    const glyphName = names[code];
    const named = glyphName === undefined ? undefined : symbolFont?.glyphOfName(glyphName);
    const unicode = textOf(glyphName, meanings.get(codeKey(code, 1)));
    const found =
      symbolFont && named !== undefined
        ? { outline: symbolFont.outline(named), width: symbolFont.width(named) }
        : substituteFor(unicode, faces);
    const character = unicode ?? (glyphName === '.notdef' ? undefined : glyphName);
    if (!found && character !== undefined) missing.push(character);
    // The standard fonts have integer widths.
    const standard = standardWidth(base, glyphName ?? '', style) ?? Math.round(found?.width ?? 0);
    const width = widths.of(code) ?? (widths.given ? 0 : standard);
    return { code, name: glyphName, width, outline: fitToWidth(found, width), unicode };
  });
  if (missing.length > 0) context.violations.push(notEmbedded(base, missing));
  return { glyphs, unitsPerEm: symbolFont?.unitsPerEm ?? 2048 };
}

/** Builds the violation for a font that is not embedded and has no substitute for some characters. */
export function notEmbedded(font: string, missing: readonly string[]): Breach {
  const some = [...new Set(missing)].slice(0, 5).map((text) => JSON.stringify(text));
  return {
    rule: 'embedding',
    message: `the font ${plainName(font)} is not embedded, and no available font has its characters: ${some.join(', ')}`,
  };
}

function textOf(glyphName: string | undefined, meaning: string | undefined): string | undefined {
  const named = glyphName === undefined ? undefined : unicodeOfName(glyphName);
  return named ?? meaning;
}

/**
 * Finds a glyph for a text of one character. White space and control characters without a glyph get an empty
 * one.
 */
export function substituteFor(text: string | undefined, faces: readonly Face[]): Substitute | undefined {
  const point = text?.codePointAt(0);
  if (text === undefined || point === undefined) return undefined;
  for (const face of faces) {
    const glyph = face.glyphOf(point);
    if (glyph !== 0) return { outline: face.program.outline(glyph), width: face.program.width(glyph) };
  }
  if (/^[\s\p{C}\p{Z}]*$/u.test(text)) return { outline: new GlyphOutline(), width: 0 };
  for (const face of fallbackFaces()) {
    const glyph = face.glyphOf(point);
    if (glyph !== 0) return { outline: face.program.outline(glyph), width: face.program.width(glyph) };
  }
  return undefined;
}

/** Returns the outline of a substitute glyph, condensed if it is wider than the required width. */
export function fitToWidth(found: Substitute | undefined, width: number): GlyphOutline {
  if (!found) return new GlyphOutline();
  const isWider = width > 0 && found.width > width + 1;
  return isWider ? found.outline.transformed([width / found.width, 0, 0, 1, 0, 0]) : found.outline;
}
