import {
  mergeDocuments,
  PdfDocument,
  readMergeInput,
  readOutlineEntries,
  setProperties,
  type MergeInput,
  type OutlineEntry,
} from '@platen/pdf';
import { assemble as complete } from '@platen/pdf/assemble-task';
import {
  asDict,
  compressedStream,
  Dict,
  geometryOf,
  informationOf,
  name,
  readPages,
  Ref,
  standalone,
  writePdf,
  type Page,
  type PdfObject,
} from '@platen/pdf/objects';

/** An item of the outline that Chromium made from the headings of a page. */
export interface PrintedOutline {
  title: string;
  /** The zero-based index of the page of its document. */
  page: number;
  children: PrintedOutline[];
}

/** Reads the outline of a printed page. */
export function readOutline({ pdf }: { pdf: Uint8Array }): PrintedOutline[] {
  const convert = (entries: readonly OutlineEntry[]): PrintedOutline[] =>
    entries.map(({ title, page, children = [] }) => ({
      title,
      page: (page ?? 1) - 1,
      children: convert(children),
    }));
  return convert(readOutlineEntries(PdfDocument.open(pdf)));
}

/** The parts of a document, and how they are joined. */
export interface AssemblyJob {
  parts: readonly { pdf: Uint8Array; isInOutline: boolean }[];
  /** Headers and footers, and the zero-based index of the page over which their first page is drawn. */
  bands: readonly { pdf: Uint8Array; firstPage: number }[];
  /** How many levels the outline has; 0 for none. */
  outlineDepth: number;
  /** The start of the links of tables of contents. The number of the part and of its heading follow. */
  contentsLink: string;
  grayscale: boolean;
  title: string | undefined;
}

/** Joins printed pages to one document. */
export function join({ parts, bands, title, ...job }: AssemblyJob): Uint8Array {
  let pdf = mergeParts(parts);
  if (bands.length > 0) {
    const paths = { attachments: '', ownerPassword: '', userPassword: '' };
    const result = complete({ pdf, overlays: bands, paths });
    if (!result.ok) throw new Error(result.message);
    pdf = result.value;
  }
  pdf = finish(PdfDocument.open(pdf), { parts, ...job });
  return title === undefined ? pdf : setProperties(PdfDocument.open(pdf), { title }, Date.now());
}

function mergeParts(parts: AssemblyJob['parts']): Uint8Array {
  const [first, ...others] = parts;
  if (!first) throw new Error('there is nothing to join');
  if (others.length === 0) return first.pdf;
  const inputs: MergeInput[] = [];
  let pages = 0;
  for (const [index, { pdf }] of parts.entries()) {
    const input = readMergeInput(PdfDocument.open(pdf), index, pages);
    pages += input.pages.length;
    inputs.push(input);
  }
  return mergeDocuments(inputs);
}

type Finish = Pick<AssemblyJob, 'parts' | 'outlineDepth' | 'contentsLink' | 'grayscale'>;

/** Completes a joined document: its outline, the links of tables of contents, and its colours. */
function finish(document: PdfDocument, { parts, outlineDepth, contentsLink, grayscale }: Finish): Uint8Array {
  const top = itemsOf(document.catalog.dict('Outlines'));
  // Merging puts the outline of each part under a heading of its own.
  const ofParts = parts.length === 1 ? [top] : parts.map((_, index) => itemsOf(asDict(top[index] ?? null)));
  const { pages } = readPages(document);
  setLinks(pages, { contentsLink, ofParts });
  const kept = ofParts.flatMap((items, index) => (parts[index]?.isInOutline === true ? items : []));
  const catalog = document.catalog.copy();
  catalog.delete('Outlines');
  if (outlineDepth > 0 && kept.length > 0) {
    const root = Ref.to(Dict.of({ Type: name('Outlines') }));
    nest(root, kept, outlineDepth);
    catalog.set('Outlines', root);
  }
  if (grayscale) for (const page of pages) page.ref.value = withoutColour(page);
  return writePdf({
    root: Ref.to(catalog),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}

const MAX_ITEMS = 100_000;

/** Lists the children of an outline item (ISO 32000-1 12.3.3). */
function itemsOf(parent: Dict | undefined): Ref[] {
  const items = new Set<Ref>();
  let item = parent?.raw('First');
  while (item instanceof Ref && !items.has(item) && items.size < MAX_ITEMS) {
    items.add(item);
    item = asDict(item)?.raw('Next');
  }
  return [...items];
}

/** Links items to each other and to their parent, and removes those below a depth. */
function nest(parent: Ref, items: readonly Ref[], depth: number): number {
  let count = items.length;
  for (const [index, item] of items.entries()) {
    const dict = asDict(item);
    if (!dict) continue;
    const children = itemsOf(dict);
    dict
      .set('Parent', parent)
      .set('Prev', items[index - 1])
      .set('Next', items[index + 1]);
    for (const key of ['First', 'Last', 'Count']) dict.delete(key);
    if (depth > 1 && children.length > 0) count += nest(item, children, depth - 1);
  }
  asDict(parent)?.set('First', items[0]).set('Last', items.at(-1)).set('Count', count);
  return count;
}

/** Lists the items of an outline, each before its children. */
function flatten(items: readonly Ref[]): Ref[] {
  return items.flatMap((item) => [item, ...flatten(itemsOf(asDict(item)))]);
}

/** Turns the links of tables of contents into links to headings of this document. */
function setLinks(
  pages: readonly Page[],
  { contentsLink, ofParts }: { contentsLink: string; ofParts: readonly Ref[][] },
): void {
  const headings = ofParts.map(flatten);
  for (const { dict } of pages)
    for (const annotation of dict.array('Annots') ?? []) {
      const link = asDict(annotation);
      const uri = link?.dict('A')?.string('URI')?.key ?? '';
      if (!link || !uri.startsWith(contentsLink)) continue;
      const [part, index] = uri.slice(contentsLink.length).split('/').map(Number);
      const heading = asDict(headings[part ?? -1]?.[index ?? -1] ?? null);
      link.delete('A');
      link.set('Dest', heading?.raw('Dest') ?? heading?.dict('A')?.raw('D'));
    }
}

/**
 * Shows a page in shades of grey: paints white below its content, and grey above it with the blend mode
 * `Color`, which keeps the luminosity of each colour (ISO 32000-1 11.3.5.3). Text stays text.
 */
function withoutColour(page: Page): Dict {
  const dict = standalone(page).copy();
  const [left, bottom, right, top] = geometryOf(page).visible;
  const box = `${left} ${bottom} ${right - left} ${top - bottom} re f`;
  const contents = dict.array('Contents') ?? [dict.raw('Contents')].filter((item) => item !== undefined);
  const below = compressedStream(Buffer.from(`q 1 g ${box} Q q\n`, 'latin1'));
  const above = compressedStream(Buffer.from(`\nQ q /PlatenGrey gs 0.5 g ${box} Q\n`, 'latin1'));
  const resources = asDict(dict.raw('Resources') ?? null)?.copy() ?? new Dict();
  const states = asDict(resources.raw('ExtGState') ?? null)?.copy() ?? new Dict();
  states.set('PlatenGrey', Dict.of({ BM: name('Color') }));
  resources.set('ExtGState', states);
  const group = Dict.of({ S: name('Transparency'), CS: name('DeviceRGB') });
  const all: PdfObject[] = [below, ...contents, above];
  return dict.set('Resources', resources).set('Contents', all).set('Group', group);
}
