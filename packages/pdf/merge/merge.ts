import {
  buildNumberTree,
  buildPageTree,
  Dict,
  findDuplicates,
  informationOf,
  joinLayerProperties,
  metadataWithoutClaims,
  name,
  type PdfObject,
  readNumberTree,
  Ref,
  standalone,
  writePdf,
} from '../objects/index.ts';
import { adjust } from './adjust.ts';
import { joinForms } from './forms.ts';
import type { MergeInput } from './merge-input.ts';
import { joinNames } from './names.ts';
import { joinOutlines } from './outlines.ts';
import { joinStructure } from './structure.ts';

/** Catalog entries copied from the first document. */
const KEYS_OF_FIRST = [
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
/** Lists that are concatenated. */
const LISTS = ['Threads', 'AF'];

/** Options of {@link mergeDocuments}. */
export interface MergeOptions {
  /** Whether every document gets an item in the outline, even if none has an outline. */
  everyHeading?: boolean;
}

/**
 * Merges documents in order. Combines their object graphs under a new page tree and catalog. Renames entries
 * of later documents whose names are already taken, and updates references to them. Stores equal streams and
 * fonts once. Modifies the documents: do not use them afterwards.
 */
export function mergeDocuments(
  inputs: readonly MergeInput[],
  { everyHeading = false }: MergeOptions = {},
): Buffer {
  const catalog = Dict.of({ Type: name('Catalog') });
  const root = Ref.to(catalog);
  const substitutes = new Map<Ref, PdfObject>();
  const [first] = inputs;
  if (!first) throw new Error('there is nothing to merge');

  const names = joinNames(inputs, catalog);
  const structure = joinStructure(inputs, catalog, substitutes);
  for (const [index, { document }] of inputs.entries())
    adjust(document, { destinations: names.destinations[index] ?? new Map(), ...structure[index] });

  joinPages(inputs, catalog, substitutes);
  joinOutlines(inputs, catalog, everyHeading);
  joinForms(inputs, catalog);
  joinLabels(inputs, catalog);
  joinLayers(inputs, catalog);
  for (const key of KEYS_OF_FIRST) catalog.set(key, first.document.catalog.raw(key));
  for (const key of LISTS) {
    const items = inputs.flatMap(({ document }) => document.catalog.array(key) ?? []);
    if (items.length > 0) catalog.set(key, items);
  }
  catalog.set('Metadata', metadataWithoutClaims(first.document));
  for (const { document } of inputs) {
    const oldRoot = document.trailer.raw('Root');
    if (oldRoot instanceof Ref) substitutes.set(oldRoot, root);
  }

  const duplicates = findDuplicates(root, substitutes);
  const compact = inputs.some(({ document }) => document.compact);
  return writePdf({
    root,
    info: informationOf(first.document),
    version: highestVersion(inputs, compact),
    compact,
    substitutes: { get: (ref) => substitutes.get(ref) ?? duplicates.get(ref) },
  });
}

function joinPages(inputs: readonly MergeInput[], catalog: Dict, substitutes: Map<Ref, PdfObject>): void {
  const pages = inputs.flatMap((input) => input.pages);
  const dicts = new Map(pages.map((page) => [page.ref, standalone(page)]));
  const refs = pages.map(({ ref }) => ref);
  const tree = buildPageTree(refs, (ref, parent) => {
    const dict = dicts.get(ref);
    if (!dict) return;
    substitutes.set(ref, dict.set('Type', name('Page')).set('Parent', parent));
  });
  for (const { nodes } of inputs) for (const node of nodes) substitutes.set(node, tree);
  catalog.set('Pages', tree);
}

function highestVersion(inputs: readonly MergeInput[], compact: boolean): string {
  const versions = inputs.map(({ document }) => document.version);
  return [compact ? '1.5' : '1.3', ...versions].toSorted().at(-1) ?? '1.7';
}

/**
 * Joins page labels, so that each page keeps its label. The pages of a document without labels are numbered
 * from 1.
 */
function joinLabels(inputs: readonly MergeInput[], catalog: Dict): void {
  const labels = inputs.map(({ document }) => readNumberTree(document.catalog.dict('PageLabels')));
  if (labels.every((ranges) => ranges.length === 0)) return;
  const joined = new Map<number, PdfObject>();
  for (const [index, { firstPage, pages }] of inputs.entries()) {
    joined.set(firstPage, Dict.of({ S: name('D') }));
    for (const [page, label] of labels[index] ?? [])
      if (page >= 0 && page < pages.length) joined.set(firstPage + page, label);
  }
  catalog.set('PageLabels', Ref.to(buildNumberTree(joined)));
}

/** Joins all optional content groups, and keeps their default visibility (ISO 32000-1 8.11.4). */
function joinLayers(inputs: readonly MergeInput[], catalog: Dict): void {
  const all = inputs.flatMap(({ document }) => document.catalog.dict('OCProperties') ?? []);
  const joined = joinLayerProperties(all, () => true);
  if (joined) catalog.set('OCProperties', joined);
}
