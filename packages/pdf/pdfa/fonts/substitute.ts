import { decodeStream, PdfStream, type Dict } from '../../objects/index.ts';
import { codeKey, readCMap } from '../../fonts/cmap.ts';
import type { FontContext } from './font-use.ts';
import { plainName, styleOf } from '../../fonts/descriptor.ts';
import { facesFor, fallbackFaces, symbolProgram, type Face } from '../../fonts/faces.ts';
import { ENCODINGS, STANDARD_ENCODING } from '../../fonts/glyph-names.ts';
import { GlyphOutline } from '../../fonts/glyph-outline.ts';
import type { SimpleGlyph, SimpleRebuild } from './rebuild-simple.ts';
import { namesOf, readEncoding } from '../../fonts/simple-encoding.ts';
import { simpleWidths } from '../../fonts/simple-widths.ts';
import { standardWidth } from '../../fonts/standard-widths.ts';
import { SYMBOL_ENCODINGS } from '../../fonts/symbol-encodings.ts';
import { unicodeOfName } from '../../fonts/unicode.ts';
import type { Breach } from '../violation.ts';

/** A glyph of another font for a character. */
interface Substitute {
  outline: GlyphOutline;
  /** The width of the glyph in its own font, in thousandths of an em. */
  width: number;
}

/**
 * Substitutes a similar font for a missing simple font. Reports a violation for characters that no available font has, because text
 * must not disappear.
 */
export function substituteSimple(font: Dict, codes: readonly number[], context: FontContext): SimpleRebuild {
  const base = plainName(font.name('BaseFont') ?? '');
  const symbols = /^symbol/i.test(base) ? 'symbol' : /dingbats/i.test(base) ? 'dingbats' : undefined;
  const widths = simpleWidths(font);
  const own = symbols && symbolProgram(symbols);
  const trueType = font.name('Subtype') === 'TrueType';
  const fallback =
    (symbols && SYMBOL_ENCODINGS[symbols]) ??
    (trueType ? (ENCODINGS['WinAnsiEncoding'] ?? []) : STANDARD_ENCODING);
  const names = namesOf(readEncoding(font), fallback);
  const meanings = toUnicode(font, context);
  const style = styleOf(base, font.dict('FontDescriptor'));
  const faces = facesFor(style, /narrow|condensed/i.test(base), undefined);
  const missing: string[] = [];
  const glyphs = codes.map((code): SimpleGlyph => {
    const glyphName = names[code];
    const named = glyphName === undefined ? undefined : own?.glyphOfName(glyphName);
    const unicode = textOf(glyphName, meanings.get(codeKey(code, 1)));
    const found =
      own && named !== undefined
        ? { outline: own.outline(named), width: own.width(named) }
        : substituteFor(unicode, faces);
    const meant = unicode ?? (glyphName === '.notdef' ? undefined : glyphName);
    if (!found && meant !== undefined) missing.push(meant);
    // The standard fonts have integer widths.
    const standard = standardWidth(base, glyphName ?? '', style) ?? Math.round(found?.width ?? 0);
    const width = widths.of(code) ?? (widths.given ? 0 : standard);
    return { code, name: glyphName, width, outline: fitToWidth(found, width), unicode };
  });
  if (missing.length > 0) context.violations.push(notEmbedded(base, missing));
  return { glyphs, unitsPerEm: own?.unitsPerEm ?? 2048, substitute: true };
}

/** Builds the violation for a missing font without a substitute. */
export function notEmbedded(font: string, missing: readonly string[]): Breach {
  const some = [...new Set(missing)].slice(0, 5).map((text) => JSON.stringify(text));
  return {
    rule: 'embedding',
    message: `the font ${plainName(font)} is not embedded, and no available font has its characters: ${some.join(', ')}`,
  };
}

/** Reads the ToUnicode map of a font. */
export function toUnicode(font: Dict, { document }: FontContext): ReadonlyMap<number, string> {
  const stream = font.get('ToUnicode');
  const data = stream instanceof PdfStream ? decodeStream(stream, document.budget) : undefined;
  return data ? readCMap(data, () => undefined).unicode : new Map();
}

function textOf(glyphName: string | undefined, meaning: string | undefined): string | undefined {
  const named = glyphName === undefined ? undefined : unicodeOfName(glyphName);
  return named ?? meaning;
}

/** Finds a glyph for a character. White space and control characters get an empty glyph. */
export function substituteFor(text: string | undefined, faces: readonly Face[]): Substitute | undefined {
  const point = text?.codePointAt(0);
  if (text === undefined || point === undefined) return undefined;
  for (const one of faces) {
    const glyph = one.glyphOf(point);
    if (glyph !== 0) return { outline: one.program.outline(glyph), width: one.program.width(glyph) };
  }
  if (/^[\s\p{C}\p{Z}]*$/u.test(text)) return { outline: new GlyphOutline(), width: 0 };
  for (const one of fallbackFaces()) {
    const glyph = one.glyphOf(point);
    if (glyph !== 0) return { outline: one.program.outline(glyph), width: one.program.width(glyph) };
  }
  return undefined;
}

/** Returns the outline of a substitute glyph, condensed if it is wider than the required width. */
export function fitToWidth(found: Substitute | undefined, width: number): GlyphOutline {
  if (!found) return new GlyphOutline();
  const isWider = width > 0 && found.width > width + 1;
  return isWider ? found.outline.transformed([width / found.width, 0, 0, 1, 0, 0]) : found.outline;
}
