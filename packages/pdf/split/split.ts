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
import { partAnnotations } from './annotations.ts';
import { partOutline } from './part-outline.ts';
import { partForm } from './part-form.ts';
import { partLabels } from './part-labels.ts';
import { partStructure } from './part-structure.ts';
import type { PageRange } from './page-range.ts';
import { Part } from './part.ts';
import type { Source } from './source.ts';

/** What a part has of its document besides pages and what follows from them. */
const OF_THE_WHOLE = ['Lang', 'ViewerPreferences', 'PageMode', 'PageLayout'];

/**
 * Makes one part of a document: its pages, what they use, and nothing else. Links and outline items that lead out of the part are
 * gone, and so is what belongs to the document as a whole: attachments, output intents, XMP. Of a tagged document's structure a part
 * has what stands on its pages.
 */
export function writePart(source: Source, range: PageRange): Buffer {
  const { document } = source;
  const part = new Part(source, range);
  const catalog = Dict.of({ Type: name('Catalog') });
  const root = Ref.to(catalog);
  const own = document.trailer.raw('Root');
  if (own instanceof Ref) part.put(own, root);

  const annotations = placePages(part, catalog);
  for (const key of OF_THE_WHOLE) catalog.set(key, document.catalog.raw(key));
  catalog.set('Outlines', partOutline(part));
  const form = partForm(annotations, part);
  catalog.set('AcroForm', form);
  catalog.set('PageLabels', partLabels(document, range));
  const structure = partStructure(part, annotations);
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

/** Puts the pages into the part; returns all their annotations. */
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
      const annotations = partAnnotations(own.page, part);
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
  // Fields compute and check with the scripts of the document.
  if (hasForm) own.set('JavaScript', source.document.catalog.dict('Names')?.raw('JavaScript'));
  if (own.map.size > 0) catalog.set('Names', own);
}
