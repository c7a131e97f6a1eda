import {
  claimedPdfa,
  Dict,
  name,
  PdfDocument,
  readPages,
  Ref,
  writePdf,
  type PdfObject,
} from '@platen/pdf/objects';
import { writeMetadata, type AccessibleMetadata } from './claim.ts';
import { completeFonts } from './complete-fonts.ts';
import { describeLinks, removeUntaggedLinks, type LinkText } from './describe-links.ts';
import { PageMarks } from './page-marks.ts';
import { repairStructure, ROLES } from './repair-structure.ts';
import {
  annotationsOf,
  eachKid,
  marksOf,
  readStructure,
  writeStructure,
  type Element,
} from './structure-tree.ts';

/** The metadata and the descriptions for a document to make accessible. */
export interface AccessibilityRequest extends AccessibleMetadata {
  /** The links of the HTML document, in its order. */
  links: readonly LinkText[];
}

/**
 * Repairs a document that Chromium printed with tags, so that it conforms to PDF/UA-1 (ISO 14289-1) as far as
 * software can tell: its structure, artifacts, link descriptions, Unicode text and metadata. Information that
 * only the author has, such as the text alternatives of pictures, must be in the HTML. A PDF/A-1 file keeps
 * its version and gets no object streams.
 * @throws {PdfError} if the document is too complex.
 */
export function makeAccessible(pdf: Uint8Array, request: AccessibilityRequest, now: number): Buffer {
  const document = PdfDocument.open(pdf);
  const { catalog } = document;
  const { pages } = readPages(document);
  completeFonts(document, pages);
  const marks = new PageMarks(document, pages);
  const annotations = new Set(pages.flatMap(({ dict }) => dict.array('Annots') ?? []));
  const tree = repairStructure(readStructure(document, { marks, annotations }));
  // writeMetadata writes the language of the document to the catalog.
  tree.entries.delete('Lang');
  describeLinks(tree.kids, request.links);
  marks.keep(new Set(marksOf(tree.kids)));
  const structure = writeStructure(document, tree, { marks, roles: usedRoles(tree) });
  const tagged = new Set(annotationsOf(tree.kids));
  for (const page of pages) {
    removeUntaggedLinks(page, tagged);
    page.dict.set('Tabs', name('S'));
  }
  unlinkBookmarks(catalog);
  const preferences = catalog.dict('ViewerPreferences')?.copy() ?? new Dict();
  catalog.set('ViewerPreferences', preferences.set('DisplayDocTitle', true));
  // PDF/A-1 forbids object streams, which make a structure tree much smaller.
  const isPart1 = claimedPdfa(document)?.startsWith('1') === true;
  const info = writeMetadata(document, request, now);
  const root = document.trailer.raw('Root');
  return writePdf({
    root: root instanceof Ref ? root : Ref.to(catalog),
    info: Ref.to(info),
    version: isPart1 ? document.version : '1.7',
    compact: !isPart1,
    structure,
  });
}

/** Returns the role map for the types of an element and the elements below it. */
function usedRoles(root: Element): Record<string, string> {
  const used: Record<string, string> = {};
  eachKid([root], (kid) => {
    const role = kid.kind === 'element' ? ROLES[kid.type] : undefined;
    if (kid.kind === 'element' && role !== undefined) used[kid.type] = role;
  });
  return used;
}

/** Removes the references from bookmarks to structure elements, because the rebuilt tree has new elements. */
function unlinkBookmarks(catalog: Dict): void {
  const seen = new Set<Dict>();
  const waiting: PdfObject[] = [catalog.raw('Outlines') ?? null];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const dict = item instanceof Ref ? item.value : item;
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict.delete('SE'));
    waiting.push(dict.raw('First') ?? null, dict.raw('Next') ?? null);
  }
}
