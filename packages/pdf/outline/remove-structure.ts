import { asDict, Dict, readPages, Ref, resolve, writePdf, type PdfDocument } from '../objects/index.ts';

/**
 * Removes the structure tree, which Chromium writes with an outline and which can be many times larger than
 * the pages. Keeps the outline. The document must not be used afterwards.
 */
export function removeStructure(document: PdfDocument): Buffer {
  const { catalog, trailer } = document;
  catalog.delete('StructTreeRoot', 'MarkInfo');
  for (const { dict } of readPages(document).pages) {
    dict.delete('StructParents', 'Tabs');
    for (const annotation of dict.array('Annots') ?? []) asDict(annotation)?.delete('StructParent');
  }
  const seen = new Set<Dict>();
  const waiting = [catalog.raw('Outlines')];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const dict = resolve(item);
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict.delete('SE'));
    waiting.push(dict.raw('First') ?? null, dict.raw('Next') ?? null);
  }
  const info = trailer.raw('Info');
  return writePdf({
    root: Ref.to(catalog),
    info: info instanceof Ref ? info : undefined,
    version: document.version < '1.5' ? '1.5' : document.version,
    compact: document.compact,
  });
}
