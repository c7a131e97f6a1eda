import {
  asDict,
  buildNameTree,
  Dict,
  metadataWithoutClaims,
  readNameTree,
  Ref,
  type PdfObject,
} from '../objects/index.ts';
import { isUndecryptable } from '../merge/names.ts';
import { pointToPage } from './destinations.ts';
import type { Part } from './part.ts';

/** Catalog entries that do not refer to pages. */
const CATALOG_KEYS = ['AA', 'AF', 'Collection', 'Extensions', 'OutputIntents', 'URI'];
/**
 * Name trees that are not copied: those of pages and of web capture are dropped, and that of destinations is
 * rebuilt.
 */
const OTHER_TREES = new Set(['Pages', 'Templates', 'IDS', 'URLS', 'Dests']);

/**
 * Adds document-level data to the catalog of a part: attachments, JavaScript, output intents, XMP without
 * claims of PDF/A and PDF/UA, and the destinations and the opening action that lead to its pages.
 */
export function addDocumentData(part: Part, catalog: Dict): void {
  const { document, destinations } = part.source;
  for (const key of CATALOG_KEYS) catalog.set(key, document.catalog.raw(key));
  catalog.set('Metadata', metadataWithoutClaims(document));
  catalog.set('OpenAction', openingAction(part));
  for (const { kind, key, value, page } of destinations.named())
    if (part.has(page)) part.names[kind].set(key, value);
  const names = new Dict();
  for (const [kind, tree] of document.catalog.dict('Names')?.map ?? []) {
    if (OTHER_TREES.has(kind)) continue;
    const kept = readNameTree(asDict(tree)).filter(([, value]) => !isUndecryptable(value));
    if (kept.length > 0) names.set(kind, Ref.to(buildNameTree(new Map(kept))));
  }
  if (names.map.size > 0) catalog.set('Names', names);
}

/** Returns the destination or action on opening, unless it leads to a page outside the part. */
function openingAction(part: Part): PdfObject | undefined {
  const { document, destinations, pages } = part.source;
  const given = document.catalog.raw('OpenAction');
  const action = asDict(given);
  const holder = action ? Dict.of({ A: action }) : Dict.of({ Dest: given });
  const target = destinations.of(holder);
  if (!target) return action && action.name('S') !== 'GoTo' ? given : undefined;
  const page = pages[target.page];
  if (!part.has(target.page) || !page) return undefined;
  if (!target.byNumber || target.named) return given;
  const pointed = pointToPage(holder, page.ref);
  return pointed.raw('Dest') ?? pointed.raw('A');
}
