import {
  buildNameTree,
  Dict,
  PdfString,
  readNameTree,
  Ref,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import type { LevelRules } from '../../levels.ts';
import { allowedActions } from './actions.ts';
import type { Attachments } from './attachments.ts';
import { cleanLayerConfigurations } from './layers.ts';

/** The catalog entries that PDF 1.4 defines and PDF/A-1 allows. */
const CATALOG_ENTRIES = [
  'Type',
  'Pages',
  'PageLabels',
  'Dests',
  'ViewerPreferences',
  'PageLayout',
  'PageMode',
  'Outlines',
  'Threads',
  'OpenAction',
  'URI',
  'AcroForm',
  'StructTreeRoot',
  'MarkInfo',
  'Lang',
];
/** The page modes of part 1. */
const PAGE_MODES = new Set(['UseNone', 'UseOutlines', 'UseThumbs', 'FullScreen']);
/** The page modes of parts 2 and 3. */
const LATER_PAGE_MODES = new Set([...PAGE_MODES, 'UseOC', 'UseAttachments']);

/**
 * Removes forbidden features from the catalog and the outline: scripts, forbidden actions, and embedded files
 * and layers unless they are allowed (ISO 19005-1 6.1.11, 6.1.13, 6.6).
 */
export function cleanCatalog({ catalog }: PdfDocument, rules: LevelRules, attachments: Attachments): void {
  const destinations = readNameTree(catalog.dict('Names')?.dict('Dests'));
  for (const key of catalog.map.keys())
    if (!CATALOG_ENTRIES.includes(key) && !(rules.layers && key === 'OCProperties')) catalog.delete(key);
  const names = new Dict();
  if (destinations.length > 0) names.set('Dests', nameTree(destinations));
  if (attachments.named.length > 0) names.set('EmbeddedFiles', nameTree(attachments.named));
  if (names.map.size > 0) catalog.set('Names', names);
  if (attachments.all.length > 0) catalog.set('AF', [...attachments.all]);
  if (rules.layers) cleanLayerConfigurations(catalog);
  if (!Array.isArray(catalog.get('OpenAction')))
    catalog.set('OpenAction', allowedActions(catalog.raw('OpenAction')));
  const modes = rules.part === 1 ? PAGE_MODES : LATER_PAGE_MODES;
  if (!modes.has(catalog.name('PageMode') ?? '')) catalog.delete('PageMode');
  cleanOutline(catalog.dict('Outlines'));
}

/** The number of entries of a leaf. Each entry takes two elements of an array, which has at most 8,191. */
const LEAF_ENTRIES = 1_000;

/**
 * Builds a name tree with one level, or with two levels if it has many entries, because of the array limit
 * (ISO 19005-1 6.1.12).
 */
function nameTree(entries: readonly (readonly [string, PdfObject])[]): Dict {
  if (entries.length <= LEAF_ENTRIES) return buildNameTree(entries);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const kids: PdfObject[] = [];
  for (let start = 0; start < sorted.length; start += LEAF_ENTRIES) {
    const part = sorted.slice(start, start + LEAF_ENTRIES);
    const limits = [part[0], part.at(-1)].map(
      (entry) => new PdfString(Buffer.from(entry?.[0] ?? '', 'latin1')),
    );
    kids.push(Ref.to(buildNameTree(part).set('Limits', limits)));
  }
  return Dict.of({ Kids: kids });
}

const MAX_ITEMS = 1_000_000;

/** Removes forbidden actions from bookmarks. */
function cleanOutline(root: Dict | undefined): void {
  const seen = new Set<Dict>();
  const waiting: (Dict | undefined)[] = [root];
  while (waiting.length > 0 && seen.size < MAX_ITEMS) {
    const item = waiting.pop();
    if (!item || seen.has(item)) continue;
    seen.add(item);
    const action: PdfObject | undefined = item.raw('A');
    if (action !== undefined) item.set('A', allowedActions(action));
    item.delete('AA');
    waiting.push(item.dict('First'), item.dict('Next'));
  }
}
