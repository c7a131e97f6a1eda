import { Dict, PdfStream, resolve, standalone, type Page } from '../objects/index.ts';
import { namesInContent } from './content-names.ts';

const CATEGORIES = ['XObject', 'Font', 'ExtGState', 'Pattern', 'Shading', 'ColorSpace', 'Properties'];

/** Page entries that reference objects outside the page: its parent, article beads and the structure. */
const EXTERNAL_KEYS = ['Parent', 'B', 'StructParents'];

/** Copies a page with all its resources. */
export function copyPage(page: Page): Dict {
  return standalone(page).delete(...EXTERNAL_KEYS);
}

/**
 * Returns a function that copies pages for a part. Resources shared by several pages are reduced to those
 * that the content of the page names. Unshared resources are kept whole, so the content need not be scanned.
 */
export function createPagePreparation(pages: readonly Page[]): (page: Page) => Dict {
  const users = countUsers(pages);
  const prepared = new Map<Page, Dict>();
  return (page) => {
    const known = prepared.get(page);
    if (known) return known.copy();
    const dict = copyPage(page);
    const resources = dict.dict('Resources');
    const shared = resources ? sharedCategories(resources, users) : [];
    if (resources && shared.length > 0) dict.set('Resources', prune(dict, resources, shared));
    prepared.set(page, dict);
    return dict.copy();
  };
}

function countUsers(pages: readonly Page[]): Map<Dict, number> {
  const users = new Map<Dict, number>();
  for (const { dict, inherited } of pages) {
    const resources = resolve(dict.raw('Resources') ?? inherited.get('Resources'));
    if (!(resources instanceof Dict)) continue;
    for (const category of CATEGORIES) {
      const entries = resources.dict(category);
      if (entries) users.set(entries, (users.get(entries) ?? 0) + 1);
    }
  }
  return users;
}

function sharedCategories(resources: Dict, users: ReadonlyMap<Dict, number>): string[] {
  return CATEGORIES.filter((category) => {
    const entries = resources.dict(category);
    return entries !== undefined && entries.map.size > 0 && (users.get(entries) ?? 0) > 1;
  });
}

function prune(page: Dict, resources: Dict, shared: readonly string[]): Dict {
  const contents = page.get('Contents');
  const streams = (Array.isArray(contents) ? contents : [contents]).map((stream) => resolve(stream));
  const used = namesInContent(
    streams.filter((stream) => stream instanceof PdfStream),
    resources,
  );
  if (!used) return resources;
  const pruned = resources.copy();
  for (const category of shared) {
    const entries = [...(resources.dict(category)?.map ?? [])].filter(([key]) => used.has(key));
    pruned.set(category, new Dict(entries));
  }
  return pruned;
}
