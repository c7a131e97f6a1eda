import { buildPageTree, Dict, name, readPages, Ref, resolve, type PdfDocument } from '../objects/index.ts';

/** The entries of a page that PDF 1.4 knows and that PDF/A-1 does not forbid. */
const PAGE_ENTRIES = [
  'Resources',
  'MediaBox',
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Rotate',
  'Contents',
  'Group',
  'B',
  'Dur',
  'Trans',
  'Annots',
  'StructParents',
  'UserUnit',
];

/**
 * Gives a document a new page tree, whose pages have what they inherited, and no entries that PDF/A-1b knows nothing of.
 * Returns the dictionaries of its pages in order.
 */
export function rebuildPages(document: PdfDocument): Dict[] {
  const dicts: Dict[] = [];
  const refs: Ref[] = [];
  for (const { ref, inherited } of readPages(document).pages) {
    const dict = resolve(ref);
    if (!(dict instanceof Dict)) continue;
    for (const [key, value] of inherited) dict.set(key, value);
    for (const key of dict.map.keys()) if (!PAGE_ENTRIES.includes(key)) dict.delete(key);
    if (!dict.dict('Resources')) dict.set('Resources', new Dict());
    dict.set('Type', name('Page'));
    dicts.push(dict);
    refs.push(ref);
  }
  const root = buildPageTree(refs, (page, parent) => {
    const dict = resolve(page);
    if (dict instanceof Dict) dict.set('Parent', parent);
  });
  document.catalog.set('Pages', root);
  return dicts;
}
