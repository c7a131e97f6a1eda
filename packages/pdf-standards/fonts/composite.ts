import { PdfStream, Ref, type Dict } from '@platen/pdf/objects';
import type { CidWidths } from '@platen/pdf/fonts';
import { systemInfo, writeCidMap } from '@platen/pdf/fonts';
import type { CMap } from '@platen/pdf/fonts';

/** A composite font and the codes that are shown in it. */
export interface Composite {
  font: Dict;
  /** The CIDFont. */
  descendant: Dict;
  cmap: CMap;
  /** The name of the CMap, if it is predefined. */
  cmapName: string | undefined;
  /** The CIDs of the shown codes by code key; 0 for unmapped codes. */
  cids: Map<number, number>;
  widths: CidWidths;
  visible: boolean;
}

/** Embeds the CMap of a font, unless it is Identity-H, Identity-V, or already embedded and correct. */
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
    const streamAgrees =
      declared?.string('Ordering')?.key === ordering &&
      declared.string('Registry')?.key === registry &&
      (declared.number('Supplement') ?? 0) >= supplement;
    const cmapAgrees = cmap.ordering === ordering && cmap.registry === registry;
    const mode = encoding.dict.number('WMode') ?? 0;
    const hasNoBase = encoding.dict.get('UseCMap') === undefined && !cmap.parent;
    if (streamAgrees && cmapAgrees && hasNoBase && mode === (cmap.vertical ? 1 : 0)) return;
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

/**
 * Copies the descendant of a composite font, because another font may share the original. Returns the copy.
 */
export function ownDescendant(composite: Composite): Dict {
  const copy = composite.descendant.copy();
  composite.font.set('DescendantFonts', [Ref.to(copy)]);
  composite.descendant = copy;
  return copy;
}
