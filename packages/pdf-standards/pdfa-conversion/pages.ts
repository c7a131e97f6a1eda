import { hasSize, PAGE_BOXES } from '../pdfa-check/page-boxes.ts';
import type { LevelRules } from '../levels.ts';
import {
  applyInherited,
  buildPageTree,
  Dict,
  name,
  readPages,
  Ref,
  resolve,
  type PdfDocument,
} from '@platen/pdf/objects';

/**
 * The page entries that PDF 1.4 defines and PDF/A allows, and two of later versions: `Tabs`, which PDF/UA
 * requires, and `UserUnit`.
 */
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
  'Tabs',
  'UserUnit',
];

/**
 * Rebuilds the page tree. Sets the inherited attributes in each page, and removes the entries and boxes that
 * PDF/A does not allow. Returns the page dictionaries in order.
 */
export function rebuildPages(document: PdfDocument, rules: LevelRules): Dict[] {
  const dicts: Dict[] = [];
  const refs: Ref[] = [];
  for (const { ref, inherited } of readPages(document).pages) {
    const dict = resolve(ref);
    if (!(dict instanceof Dict)) continue;
    applyInherited({ dict, inherited });
    for (const key of dict.map.keys()) if (!PAGE_ENTRIES.includes(key)) dict.delete(key);
    if (rules.part > 1) dropInvalidBoxes(dict, rules.limits.pageUnits);
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

/**
 * Removes the boxes of a page that are too small or too large, except the MediaBox, which a page must have.
 */
function dropInvalidBoxes(page: Dict, [min, max]: readonly [number, number]): void {
  for (const key of PAGE_BOXES) {
    const box = page.array(key);
    if (key !== 'MediaBox' && box && !hasSize(box.map(resolve), min, max)) page.delete(key);
  }
}
