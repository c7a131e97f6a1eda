import { PdfStream, Ref, type Dict } from '../../objects/index.ts';
import type { CidWidths } from '../../fonts/cid-widths.ts';
import { systemInfo, writeCidMap } from '../../fonts/cmap-writer.ts';
import type { CMap } from '../../fonts/cmap.ts';

/** A composite font and the codes that are shown in it. */
export interface Composite {
  font: Dict;
  /** The CIDFont. */
  descendant: Dict;
  cmap: CMap;
  /** The name of a predefined CMap. */
  cmapName: string | undefined;
  /** The CIDs of the shown codes by code key; 0 for unmapped codes. */
  cids: Map<number, number>;
  widths: CidWidths;
  visible: boolean;
}

/** Embeds the CMap, unless it is Identity-H, Identity-V, or a correct embedded CMap. */
export function ensureEmbeddedCMap(composite: Composite): void {
  const { font, descendant, cmap, cmapName, cids } = composite;
  if (cmapName === 'Identity-H' || cmapName === 'Identity-V') return;
  const info = descendant.dict('CIDSystemInfo');
  const registry = info?.string('Registry')?.key ?? cmap.registry ?? 'Adobe';
  const ordering = info?.string('Ordering')?.key ?? cmap.ordering ?? 'Identity';
  const supplement = info?.number('Supplement') ?? 0;
  if (!info) descendant.set('CIDSystemInfo', systemInfo({ registry, ordering, supplement }));
  const encoding = font.get('Encoding');
  if (encoding instanceof PdfStream && cmapName === undefined) {
    const declared = encoding.dict.dict('CIDSystemInfo');
    const agrees =
      declared?.string('Ordering')?.key === ordering && declared.string('Registry')?.key === registry;
    const inside = cmap.ordering === ordering && cmap.registry === registry;
    const mode = encoding.dict.number('WMode') ?? 0;
    const standalone = encoding.dict.get('UseCMap') === undefined && !cmap.parent;
    if (agrees && inside && standalone && mode === (cmap.vertical ? 1 : 0)) return;
  }
  font.set(
    'Encoding',
    writeCidMap({
      cids,
      codespaces: cmap.codespaces,
      registry,
      ordering,
      supplement,
      vertical: cmap.vertical,
    }),
  );
}

/** Gives a composite font its own copy of the descendant, because another font may share the original. */
export function ownDescendant(composite: Composite): Dict {
  const own = composite.descendant.copy();
  composite.font.set('DescendantFonts', [Ref.to(own)]);
  composite.descendant = own;
  return own;
}
