import {
  claimedPdfa,
  Dict,
  name,
  PdfDocument,
  readPages,
  Ref,
  writePdf,
  type PdfObject,
} from '../objects/index.ts';
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

/** How to make a tagged document accessible. */
export interface AccessibilityRequest extends AccessibleMetadata {
  /** The links of the HTML document. */
  links: readonly LinkText[];
}

/**
 * Repairs a document that Chromium printed with tags, so that it conforms to PDF/UA-1 (ISO 14289-1) as far as software can tell: structure,
 * artifacts, descriptions of links and metadata. Information that only the author has, such as the text alternatives of pictures, must be
 * in the HTML. Keeps the version and the object streams of a PDF/A file.
 * @throws {PdfError} if the document is too complex.
 */
export function makeAccessible(pdf: Uint8Array, request: AccessibilityRequest, now: number): Buffer {
  const document = PdfDocument.open(pdf);
  const { catalog } = document;
  const { pages } = readPages(document);
  completeFonts(document, pages);
  const marks = new PageMarks(document, pages);
  const annotations = new Set(pages.flatMap(({ dict }) => dict.array('Annots') ?? []));
  const root = repairStructure(readStructure(document, { marks, annotations }));
  // The language of the document is in the catalog.
  root.entries.delete('Lang');
  describeLinks(root.kids, request.links);
  marks.keep(new Set(marksOf(root.kids)));
  const structure = writeStructure(document, root, { marks, roles: usedRoles(root) });
  const tagged = new Set(annotationsOf(root.kids));
  for (const page of pages) {
    removeUntaggedLinks(page, tagged);
    page.dict.set('Tabs', name('S'));
  }
  cutOutlineElements(catalog);
  const preferences = catalog.dict('ViewerPreferences')?.copy() ?? new Dict();
  catalog.set('ViewerPreferences', preferences.set('DisplayDocTitle', true));
  // PDF/A-1 forbids object streams, which make a structure tree much smaller.
  const isPart1 = claimedPdfa(document)?.startsWith('1') === true;
  const info = writeMetadata(document, request, now);
  const own = document.trailer.raw('Root');
  return writePdf({
    root: own instanceof Ref ? own : Ref.to(catalog),
    info: Ref.to(info),
    version: isPart1 ? document.version : '1.7',
    compact: !isPart1,
    structure,
  });
}

/** Returns the roles of the types that the elements have. */
function usedRoles(root: Element): Record<string, string> {
  const used: Record<string, string> = {};
  eachKid([root], (kid) => {
    const role = kid.kind === 'element' ? ROLES[kid.type] : undefined;
    if (kid.kind === 'element' && role !== undefined) used[kid.type] = role;
  });
  return used;
}

/** Removes the references from bookmarks to structure elements, because the tree has been rebuilt without these elements. */
function cutOutlineElements(catalog: Dict): void {
  const seen = new Set<Dict>();
  const waiting: PdfObject[] = [catalog.raw('Outlines') ?? null];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const dict = item instanceof Ref ? item.value : item;
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict.delete('SE'));
    waiting.push(dict.raw('First') ?? null, dict.raw('Next') ?? null);
  }
}
