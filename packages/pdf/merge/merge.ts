import {
  buildPageTree,
  Dict,
  name,
  Ref,
  standalone,
  writePdf,
  type PdfObject,
  informationOf,
  metadataWithoutClaims,
} from '../objects/index.ts';
import { adjust } from './adjust.ts';
import { joinForms } from './forms.ts';
import { joinLabels } from './labels.ts';
import { joinLayers } from './layers.ts';
import type { Member } from './member.ts';
import { joinNames } from './names.ts';
import { joinOutlines } from './outlines.ts';
import { joinStructure } from './structure.ts';

/** What the first document alone decides. */
const OF_THE_FIRST = [
  'Lang',
  'ViewerPreferences',
  'PageMode',
  'PageLayout',
  'OpenAction',
  'AA',
  'URI',
  'OutputIntents',
  'Collection',
  'Extensions',
];
/** Lists that are put one behind the other. */
const LISTS = ['Threads', 'AF'];

/**
 * Joins whole documents, in order. Their object graphs become one, with a new page tree and a new catalog; what two documents name
 * alike is renamed in the later one, also where it is referred to. The documents are changed, and must not be used again.
 */
export function mergeDocuments(members: readonly Member[]): Buffer {
  const catalog = Dict.of({ Type: name('Catalog') });
  const root = Ref.to(catalog);
  const substitutes = new Map<Ref, PdfObject>();
  const [first] = members;
  if (!first) throw new Error('there is nothing to merge');

  const names = joinNames(members, catalog);
  const structure = joinStructure(members, catalog, substitutes);
  for (const [index, { document }] of members.entries())
    adjust(document, { destinations: names.destinations[index] ?? new Map(), ...structure[index] });

  joinPages(members, catalog, substitutes);
  joinOutlines(members, catalog);
  joinForms(members, catalog);
  joinLabels(members, catalog);
  joinLayers(members, catalog);
  for (const key of OF_THE_FIRST) catalog.set(key, first.document.catalog.raw(key));
  for (const key of LISTS) {
    const items = members.flatMap(({ document }) => document.catalog.array(key) ?? []);
    if (items.length > 0) catalog.set(key, items);
  }
  catalog.set('Metadata', metadataWithoutClaims(first.document));
  for (const { document } of members) {
    const own = document.trailer.raw('Root');
    if (own instanceof Ref) substitutes.set(own, root);
  }

  const compact = members.some(({ document }) => document.compact);
  return writePdf({
    root,
    info: informationOf(first.document),
    version: highestVersion(members, compact),
    compact,
    substitutes,
  });
}

function joinPages(members: readonly Member[], catalog: Dict, substitutes: Map<Ref, PdfObject>): void {
  const pages = members.flatMap((member) => member.pages);
  const dicts = new Map(pages.map((page) => [page.ref, standalone(page)]));
  const refs = pages.map(({ ref }) => ref);
  const tree = buildPageTree(refs, (ref, parent) => {
    const dict = dicts.get(ref);
    if (!dict) return;
    substitutes.set(ref, dict.set('Type', name('Page')).set('Parent', parent));
  });
  for (const { nodes } of members) for (const node of nodes) substitutes.set(node, tree);
  catalog.set('Pages', tree);
}

function highestVersion(members: readonly Member[], compact: boolean): string {
  const versions = members.map(({ document }) => document.version);
  return [compact ? '1.5' : '1.3', ...versions].toSorted().at(-1) ?? '1.7';
}
