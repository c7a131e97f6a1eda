import { PdfStream, Ref, type Dict } from '../../objects/index.ts';
import type { CidWidths } from '../../fonts/cid-widths.ts';
import { systemInfo, writeCidMap } from '../../fonts/cmap-writer.ts';
import type { CMap } from '../../fonts/cmap.ts';

/** A composite font, and what its text needs of it. */
export interface Composite {
  font: Dict;
  /** The CIDFont. */
  descendant: Dict;
  cmap: CMap;
  /** The CMap's name when it is a predefined one. */
  cmapName: string | undefined;
  /** The CIDs of the codes that are shown, by the keys of the codes; those that map to none have 0. */
  cids: Map<number, number>;
  widths: CidWidths;
  visible: boolean;
}

/** Embeds the CMap, unless it is one of the two that need not be, or an embedded one that is right. */
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
    const said = encoding.dict.dict('CIDSystemInfo');
    const agrees = said?.string('Ordering')?.key === ordering && said.string('Registry')?.key === registry;
    const inside = cmap.ordering === ordering && cmap.registry === registry;
    const mode = encoding.dict.number('WMode') ?? 0;
    const rooted = encoding.dict.get('UseCMap') === undefined && !cmap.parent;
    if (agrees && inside && rooted && mode === (cmap.vertical ? 1 : 0)) return;
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

/** Gives a composite font a descendant of its own, so that another font that shares it stays as it is. */
export function ownDescendant(composite: Composite): Dict {
  const own = composite.descendant.copy();
  composite.font.set('DescendantFonts', [Ref.to(own)]);
  composite.descendant = own;
  return own;
}
