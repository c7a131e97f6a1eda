import { compressedStream, Dict, name, Ref, type PdfObject } from '@platen/pdf/objects';
import { writeCff, type WrittenGlyph } from '@platen/pdf/fonts';
import { codeKey } from '@platen/pdf/fonts';
import { writeToUnicode } from '@platen/pdf/fonts';
import type { FontContext } from './font-use.ts';
import { charSet, completeDescriptor, NONSYMBOLIC, styleOf, subsetName, SYMBOLIC } from '@platen/pdf/fonts';
import { GlyphOutline } from '@platen/pdf/fonts';
import { unicodeOfName } from '@platen/pdf/fonts';

/** The glyph of a code in a simple font. */
export interface SimpleGlyph {
  code: number;
  /** The original glyph name. It determines the Unicode text, unless `unicode` is given. */
  name: string | undefined;
  /** In thousandths of an em. */
  width: number;
  outline: GlyphOutline;
  /** The Unicode text; without it, the text of the name. */
  unicode?: string | undefined;
}

/** The glyphs for a rebuilt simple font. */
export interface SimpleRebuild {
  glyphs: readonly SimpleGlyph[];
  unitsPerEm: number;
}

/** Replaces the program of a simple font with a CFF program that has one glyph for each shown code. */
export function rebuildSimple(font: Dict, rebuild: SimpleRebuild, context: FontContext): void {
  const { glyphs, unitsPerEm } = rebuild;
  const baseFont = subsetName(font.name('BaseFont') ?? 'Unnamed', context.next());
  const taken = new Set(['.notdef']);
  const written: WrittenGlyph[] = [{ id: '.notdef', width: 0, outline: new GlyphOutline() }];
  const differences: PdfObject[] = [];
  const texts = new Map<number, string>();
  let after = -1;
  for (const glyph of glyphs) {
    const id = freeName(glyph, taken);
    written.push({ id, width: glyph.width, outline: glyph.outline });
    if (glyph.code !== after) differences.push(glyph.code);
    differences.push(name(id));
    after = glyph.code + 1;
    const text = glyph.unicode ?? (glyph.name === undefined ? undefined : unicodeOfName(glyph.name));
    if (text !== undefined && text !== '') texts.set(codeKey(glyph.code, 1), text);
  }
  const original = font.dict('FontDescriptor');
  const descriptor = (original ?? new Dict()).copy();
  descriptor.delete('FontFile', 'FontFile2', 'CIDSet', 'MissingWidth');
  completeDescriptor(descriptor, baseFont, styleOf(baseFont, original));
  descriptor.set('Flags', ((descriptor.number('Flags') ?? 0) & ~NONSYMBOLIC) | SYMBOLIC);
  const program = writeCff({ name: baseFont, unitsPerEm, glyphs: written });
  descriptor.set('FontFile3', compressedStream(program, { Subtype: name('Type1C') }));
  descriptor.set('CharSet', charSet(written.map(({ id }) => String(id))));
  font
    .set('Subtype', name('Type1'))
    .set('BaseFont', name(baseFont))
    .set('FontDescriptor', Ref.to(descriptor));
  font.set('Encoding', Dict.of({ Type: name('Encoding'), Differences: differences }));
  if (!font.get('ToUnicode') && texts.size > 0) font.set('ToUnicode', writeToUnicode(texts));
  const first = glyphs[0]?.code ?? 0;
  const last = glyphs.at(-1)?.code ?? first;
  const widths = Array<PdfObject>(last - first + 1).fill(0);
  for (const { code, width } of glyphs) widths[code - first] = Math.round(width * 1000) / 1000;
  font.set('FirstChar', first).set('LastChar', last).set('Widths', widths);
}

/** Returns a glyph name that is not taken, and takes it. */
function freeName({ name: original, code }: SimpleGlyph, taken: Set<string>): string {
  const isUsable = original !== undefined && original !== '.notdef' && original.length <= 60;
  const base = isUsable ? original : `g${code}`;
  let free = base;
  for (let number = 1; taken.has(free); number++) free = `${base}.${number}`;
  taken.add(free);
  return free;
}
