import { compressedStream, Dict, name, Ref } from '@platen/pdf/objects';
import { writeCff, type WrittenGlyph } from '@platen/pdf/fonts';
import { writeCidWidths } from '@platen/pdf/fonts';
import { splitKey } from '@platen/pdf/fonts';
import { systemInfo, writeCidMap, writeToUnicode } from '@platen/pdf/fonts';
import { ensureEmbeddedCMap, ownDescendant, type Composite } from './composite.ts';
import type { FontContext } from './font-use.ts';
import { cidSet, completeDescriptor, styleOf, subsetName } from '@platen/pdf/fonts';
import { GlyphOutline } from '@platen/pdf/fonts';

export interface CidGlyph {
  /** In thousandths of an em. */
  width: number;
  outline: GlyphOutline;
}

/** The glyphs for a rebuilt composite font. */
interface CompositeRebuild {
  /** The glyphs by CID. */
  glyphs: Map<number, CidGlyph>;
  unitsPerEm: number;
  /** The Unicode text of the codes, for a font without ToUnicode. */
  texts?: ReadonlyMap<number, string>;
}

/** Replaces the program of a composite font with a CFF program that has the glyphs of the shown CIDs. */
export function rebuildComposite(
  composite: Composite,
  rebuild: CompositeRebuild,
  context: FontContext,
): void {
  const { font } = composite;
  const moved = moveFromZero(composite, rebuild.glyphs, context);
  const { unitsPerEm, texts } = rebuild;
  const descendant = ownDescendant(composite);
  const original = descendant.dict('FontDescriptor');
  const baseFont = subsetName(descendant.name('BaseFont') ?? 'Unnamed', context.next());
  const glyphs = [...rebuild.glyphs].toSorted(([a], [b]) => a - b);
  const written: WrittenGlyph[] = glyphs.map(([cid, glyph]) => ({ id: cid, ...glyph }));
  if (glyphs[0]?.[0] !== 0) written.unshift({ id: 0, width: 0, outline: new GlyphOutline() });
  const descriptor = (original ?? new Dict()).copy().delete('FontFile', 'FontFile2', 'CharSet');
  completeDescriptor(descriptor, baseFont, styleOf(baseFont, original));
  descriptor.set(
    'FontFile3',
    compressedStream(writeCff({ name: baseFont, unitsPerEm, glyphs: written }), {
      Subtype: name('CIDFontType0C'),
    }),
  );
  descriptor.set('CIDSet', cidSet(written.map(({ id }) => Number(id))));
  descendant.set('Subtype', name('CIDFontType0')).set('BaseFont', name(baseFont)).delete('CIDToGIDMap');
  descendant.set('FontDescriptor', Ref.to(descriptor));
  if (!descendant.dict('CIDSystemInfo'))
    descendant.set('CIDSystemInfo', systemInfo({ registry: 'Adobe', ordering: 'Identity', supplement: 0 }));
  writeCidWidths(descendant, new Map(glyphs.map(([cid, { width }]) => [cid, width])));
  font.set('BaseFont', name(baseFont));
  if (moved) embedCMap(composite);
  else ensureEmbeddedCMap(composite);
  if (!font.get('ToUnicode') && texts && texts.size > 0) font.set('ToUnicode', writeToUnicode(texts));
}

/**
 * Moves the codes that show CID 0, which is reserved for missing glyphs, to a free CID. Returns whether any
 * code has moved.
 */
function moveFromZero({ cids }: Composite, glyphs: Map<number, CidGlyph>, { rules }: FontContext): boolean {
  // Part 1 allows code 0 to show CID 0.
  const keys = [...cids]
    .filter(([key, cid]) => cid === 0 && (rules.part > 1 || splitKey(key).value !== 0))
    .map(([key]) => key);
  const zero = glyphs.get(0);
  if (keys.length === 0 || !zero) return false;
  const free = Math.max(...glyphs.keys()) + 1;
  if (free > 65_535) return false;
  for (const key of keys) cids.set(key, free);
  glyphs.set(free, zero);
  return true;
}

function embedCMap({ font, descendant, cmap, cids }: Composite): void {
  const info = descendant.dict('CIDSystemInfo');
  font.set(
    'Encoding',
    writeCidMap({
      cids,
      codespaces: cmap.codespaces,
      registry: info?.string('Registry')?.key ?? 'Adobe',
      ordering: info?.string('Ordering')?.key ?? 'Identity',
      supplement: info?.number('Supplement') ?? 0,
      vertical: cmap.vertical,
    }),
  );
}
