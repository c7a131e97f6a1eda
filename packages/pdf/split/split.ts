import {
  buildNameTree,
  buildPageTree,
  Dict,
  informationOf,
  joinLayerProperties,
  name,
  reach,
  Ref,
  writePdf,
  type Page,
  type PdfObject,
} from '../objects/index.ts';
import { buildPartAnnotations } from './annotations.ts';
import { copyAnnotations, type CopiedPage } from './copied-page.ts';
import { addDocumentData } from './document-data.ts';
import { buildPartOutline } from './part-outline.ts';
import { buildPartForm } from './part-form.ts';
import { buildPartLabels } from './part-labels.ts';
import { buildPartStructure } from './part-structure.ts';
import type { PageRange } from './structure-spans.ts';
import { copyPage } from './page-resources.ts';
import { Part } from './part.ts';
import type { SplitSource } from './split-source.ts';

/** Catalog entries copied to each part. */
const CATALOG_KEYS = ['Lang', 'ViewerPreferences', 'PageMode', 'PageLayout'];

/** A page of a result: its zero-based index in the document, and the degrees added to its rotation. */
export interface PlacedPage {
  page: number;
  rotate: number;
}

/**
 * Writes one part of a document: its pages and the objects they use. Omits links and outline items to other
 * pages, and document-level data: attachments, output intents and XMP. The part of a tagged document keeps
 * the structure elements of its pages.
 */
export function writePart(source: SplitSource, { first, last }: PageRange): Buffer {
  const pages = Array.from({ length: last - first + 1 }, (_, index) => ({ page: first + index, rotate: 0 }));
  return write(source, pages, { isDocument: false });
}

/**
 * Writes a document with some of its pages, in any order. Pages can be repeated and rotated. Keeps the same
 * data as {@link writePart}, and also document-level data. The fields of a repeated page are new fields with
 * other names.
 */
export function arrangePages(source: SplitSource, pages: readonly PlacedPage[]): Buffer {
  return write(source, pages, { isDocument: true });
}

function write(
  source: SplitSource,
  placed: readonly PlacedPage[],
  { isDocument }: { isDocument: boolean },
): Buffer {
  const { document } = source;
  const part = new Part(source, [...new Set(placed.map(({ page }) => page))], { isDocument });
  const catalog = Dict.of({ Type: name('Catalog') });
  const root = Ref.to(catalog);
  const oldRoot = document.trailer.raw('Root');
  if (oldRoot instanceof Ref) part.put(oldRoot, root);

  const { annotations, copies } = placePages(part, placed, catalog);
  for (const key of CATALOG_KEYS) catalog.set(key, document.catalog.raw(key));
  catalog.set('Outlines', buildPartOutline(part));
  const form = buildPartForm(annotations, part);
  copyAnnotations(copies, part, form);
  catalog.set('AcroForm', form && Ref.to(form));
  catalog.set(
    'PageLabels',
    buildPartLabels(
      document,
      placed.map(({ page }) => page),
    ),
  );
  const structure = buildPartStructure(part, annotations, copies);
  if (structure) catalog.set('StructTreeRoot', structure).set('MarkInfo', document.catalog.raw('MarkInfo'));
  if (isDocument) addDocumentData(part, catalog);
  setNames(part, catalog, form !== undefined);
  const layers = document.catalog.dict('OCProperties');
  if (layers) {
    const reached = reach(root, part);
    catalog.set(
      'OCProperties',
      joinLayerProperties([layers], (group) => reached.has(group)),
    );
  }
  return writePdf({
    root,
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
    substitutes: part,
  });
}

/** Adds the pages to the part. Returns all their annotations, and the pages that occur again. */
function placePages(
  part: Part,
  placed: readonly PlacedPage[],
  catalog: Dict,
): { annotations: PdfObject[]; copies: CopiedPage[] } {
  const { source } = part;
  // If no page is left out, all resources are used.
  const prepare = part.pages.length === source.pages.length ? copyPage : (page: Page) => source.prepare(page);
  const annotations: PdfObject[] = [];
  const copies: CopiedPage[] = [];
  const slots = new Map<Ref, { page: Page; index: number; rotate: number }>();
  for (const { page: index, rotate } of placed) {
    const page = source.pages[index];
    if (page) slots.set(slots.has(page.ref) ? Ref.to(new Dict()) : page.ref, { page, index, rotate });
  }
  const tree = buildPageTree([...slots.keys()], (ref, parent) => {
    const slot = slots.get(ref);
    if (!slot) return;
    const { page, index, rotate } = slot;
    const dict = prepare(page).set('Type', name('Page')).set('Parent', parent);
    if (rotate !== 0) dict.set('Rotate', turn(dict.number('Rotate') ?? 0, rotate));
    if (ref === page.ref) {
      const kept = buildPartAnnotations(page, part);
      annotations.push(...(kept ?? []));
      part.put(ref, dict.set('Annots', kept?.length ? kept : undefined));
    } else {
      ref.value = dict.delete('Annots');
      copies.push({ page, index, ref, dict, annotations: new Map() });
    }
  });
  catalog.set('Pages', tree);
  return { annotations, copies };
}

/** Adds degrees to a rotation, which readers round to a multiple of 90. */
function turn(rotation: number, degrees: number): number {
  return (((Math.round(rotation / 90) * 90 + degrees) % 360) + 360) % 360;
}

function setNames({ source, names, isDocument }: Part, catalog: Dict, hasForm: boolean): void {
  if (names.name.size > 0) catalog.set('Dests', Ref.to(new Dict(names.name)));
  const trees = catalog.dict('Names') ?? new Dict();
  if (names.string.size > 0) trees.set('Dests', Ref.to(buildNameTree(names.string)));
  // Field calculations and validations use the document's scripts.
  if (hasForm && !isDocument)
    trees.set('JavaScript', source.document.catalog.dict('Names')?.raw('JavaScript'));
  if (trees.map.size > 0) catalog.set('Names', trees);
}
