import { removeSignatures } from '../forms/flatten/remove-signatures.ts';
import {
  asDict,
  Dict,
  readPages,
  Ref,
  type Page,
  type PdfDocument,
  type PdfObject,
  adoptStrayFields,
} from '../objects/index.ts';
import { Destinations } from './destinations.ts';
import { readOutline, type OutlineItem } from './outline.ts';
import { createPagePreparation } from './page-resources.ts';
import { readStructure, type Structure } from './structure.ts';

/** A document to split, with data shared by all parts. */
export interface SplitSource {
  document: PdfDocument;
  pages: readonly Page[];
  destinations: Destinations;
  outline: readonly OutlineItem[];
  /** All fields and widgets of the form. */
  fields: ReadonlySet<Ref>;
  /** The structure tree, or `undefined` if the document is not tagged. */
  structure: Structure | undefined;
  /** Tells whether an object is a page, a page tree node or the catalog. */
  isPageOrNode(ref: Ref): boolean;
  /**
   * Copies a page's dictionary with its inherited attributes and the resources it uses, without its parent
   * and structure.
   */
  prepare(page: Page): Dict;
}

/** Reads a document to split, and removes its signatures, which every part invalidates. @throws {PdfError} */
export function readSplitSource(document: PdfDocument): SplitSource {
  const { pages, nodes } = readPages(document);
  removeSignatures(document);
  adoptStrayFields(document, pages);
  const destinations = new Destinations(document, pages);
  const structural = new Set([...nodes, ...pages.map(({ ref }) => ref)]);
  const root = document.trailer.raw('Root');
  if (root instanceof Ref) structural.add(root);
  return {
    document,
    pages,
    destinations,
    outline: readOutline(document.catalog.dict('Outlines'), destinations),
    fields: readFieldRefs(document.catalog.dict('AcroForm')?.array('Fields') ?? []),
    structure: readStructure(document.catalog, pages),
    isPageOrNode: (ref) => structural.has(ref),
    prepare: createPagePreparation(pages),
  };
}

function readFieldRefs(roots: readonly PdfObject[]): Set<Ref> {
  const found = new Set<Ref>();
  const waiting = [...roots];
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    if (!(field instanceof Ref) || found.has(field)) continue;
    found.add(field);
    waiting.push(...(asDict(field)?.array('Kids') ?? []));
  }
  return found;
}
