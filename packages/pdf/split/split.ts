import {
  buildNameTree,
  buildPageTree,
  Dict,
  name,
  reach,
  Ref,
  writePdf,
  type PdfObject,
  joinLayerProperties,
  informationOf,
} from '../objects/index.ts';
import { buildPartAnnotations } from './annotations.ts';
import { buildPartOutline } from './part-outline.ts';
import { buildPartForm } from './part-form.ts';
import { buildPartLabels } from './part-labels.ts';
import { buildPartStructure } from './part-structure.ts';
import type { PageRange } from './structure-spans.ts';
import { Part } from './part.ts';
import type { SplitSource } from './split-source.ts';

/** Catalog entries copied to each part. */
const CATALOG_KEYS = ['Lang', 'ViewerPreferences', 'PageMode', 'PageLayout'];

/**
 * Writes one part of a document: its pages and the objects they use. Omits links and outline items to other pages, and
 * document-level data: attachments, output intents and XMP. The part of a tagged document keeps the structure elements
 * of its pages.
 */
export function writePart(source: SplitSource, range: PageRange): Buffer {
  const { document } = source;
  const part = new Part(source, range);
  const catalog = Dict.of({ Type: name('Catalog') });
  const root = Ref.to(catalog);
  const own = document.trailer.raw('Root');
  if (own instanceof Ref) part.put(own, root);

  const annotations = placePages(part, catalog);
  for (const key of CATALOG_KEYS) catalog.set(key, document.catalog.raw(key));
  catalog.set('Outlines', buildPartOutline(part));
  const form = buildPartForm(annotations, part);
  catalog.set('AcroForm', form);
  catalog.set('PageLabels', buildPartLabels(document, range));
  const structure = buildPartStructure(part, annotations);
  if (structure) catalog.set('StructTreeRoot', structure).set('MarkInfo', document.catalog.raw('MarkInfo'));
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

/** Adds the pages to the part, and returns all their annotations. */
function placePages(part: Part, catalog: Dict): PdfObject[] {
  const { source, range } = part;
  const pages = source.pages.slice(range.first, range.last + 1);
  const all: PdfObject[] = [];
  const dicts = new Map(pages.map((page) => [page.ref, { page, dict: source.prepare(page) }]));
  const tree = buildPageTree(
    pages.map(({ ref }) => ref),
    (ref, parent) => {
      const own = dicts.get(ref);
      if (!own) return;
      const annotations = buildPartAnnotations(own.page, part);
      all.push(...(annotations ?? []));
      own.dict.set('Annots', annotations?.length ? annotations : undefined);
      part.put(ref, own.dict.set('Type', name('Page')).set('Parent', parent));
    },
  );
  catalog.set('Pages', tree);
  return all;
}

function setNames({ source, names }: Part, catalog: Dict, hasForm: boolean): void {
  if (names.name.size > 0) catalog.set('Dests', Ref.to(new Dict(names.name)));
  const own = new Dict();
  if (names.string.size > 0) own.set('Dests', Ref.to(buildNameTree(names.string)));
  // Field calculations and validations use the document's scripts.
  if (hasForm) own.set('JavaScript', source.document.catalog.dict('Names')?.raw('JavaScript'));
  if (own.map.size > 0) catalog.set('Names', own);
}
