import { PdfError } from './errors.ts';
import type { PdfDocument } from './document.ts';
import { Dict, name, Ref, resolve, type PdfObject } from './objects.ts';
import { LETTER, readBox } from './page-box.ts';

/** Page attributes inherited from parent nodes (ISO 32000-1 7.7.3.4). */
const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/** The maximum number of pages in a file. Each takes kilobytes of memory, even if it takes few bytes of the file. */
const MAX_PAGES = 50_000;
/** How often a file may repeat a page object. Readers show the page again, but writers rarely do this. */
const MAX_REPEATED_PAGES = 1_000;
const MAX_DEPTH = 1_000;

/** A page of a document. */
export interface Page {
  /** The page object. If a page occurs twice in the tree, the second occurrence has a new reference. */
  ref: Ref;
  dict: Dict;
  /** Inherited attributes that the page does not define itself. */
  inherited: ReadonlyMap<string, PdfObject>;
}

/** The pages of a document in order, and the nodes of its page tree. */
export interface PageTree {
  pages: Page[];
  nodes: Ref[];
}

interface Step {
  kid: PdfObject;
  inherited: ReadonlyMap<string, PdfObject>;
  depth: number;
}

/**
 * Reads the page tree. Ignores `/Count` and `/Parent`, and enters each node once.
 * @throws {PdfError} if the file has no pages or too many.
 */
export function readPages(document: PdfDocument): PageTree {
  const pages: Page[] = [];
  const nodes = new Set<Ref>();
  const seen = new Set<Dict>();
  const root = document.catalog.raw('Pages') ?? null;
  let repeated = 0;
  const steps: Step[] = [{ kid: root, inherited: new Map(), depth: 0 }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { kid, inherited, depth } = step;
    const dict = resolve(kid);
    if (!(dict instanceof Dict)) continue;
    const kids = dict.array('Kids');
    if (!kids) {
      if (depth === 0 && dict.name('Type') !== 'Page') continue;
      const again = seen.has(dict) || !(kid instanceof Ref);
      if (seen.has(dict)) repeated += 1;
      if (repeated > MAX_REPEATED_PAGES)
        throw new PdfError('too-complex', `lists pages again more than ${MAX_REPEATED_PAGES} times`);
      seen.add(dict);
      pages.push({ ref: again ? Ref.to(dict.copy()) : kid, dict, inherited: missing(dict, inherited) });
      if (pages.length > MAX_PAGES) throw new PdfError('too-complex', `has more than ${MAX_PAGES} pages`);
      continue;
    }
    if (seen.has(dict) || depth > MAX_DEPTH) continue;
    seen.add(dict);
    if (kid instanceof Ref) nodes.add(kid);
    const passedOn = pass(dict, inherited);
    for (let index = kids.length - 1; index >= 0; index--)
      steps.push({ kid: kids[index] ?? null, inherited: passedOn, depth: depth + 1 });
  }
  if (pages.length === 0) throw new PdfError('damaged', 'is damaged beyond repair: it has no pages');
  return { pages, nodes: [...nodes] };
}

function pass(node: Dict, inherited: ReadonlyMap<string, PdfObject>): ReadonlyMap<string, PdfObject> {
  let passedOn: Map<string, PdfObject> | undefined;
  for (const key of INHERITABLE) {
    const value = node.raw(key);
    if (value === undefined) continue;
    passedOn ??= new Map(inherited);
    passedOn.set(key, value);
  }
  return passedOn ?? inherited;
}

function missing(page: Dict, inherited: ReadonlyMap<string, PdfObject>): ReadonlyMap<string, PdfObject> {
  const own = [...inherited].filter(([key]) => page.get(key) === undefined || page.get(key) === null);
  return own.length === inherited.size ? inherited : new Map(own);
}

/** Sets the inherited attributes of a page in its own dictionary, and returns this dictionary. */
export function applyInherited({ dict, inherited }: Pick<Page, 'dict' | 'inherited'>): Dict {
  for (const [key, value] of inherited) dict.set(key, value);
  return dict;
}

/**
 * Returns a copy of a page's dictionary with all inherited attributes, without its parent. If MediaBox is missing, uses
 * the size that readers assume.
 */
export function standalone({ dict, inherited }: Page): Dict {
  const copy = dict.copy().delete('Parent');
  for (const [key, value] of inherited) if ((copy.get(key) ?? null) === null) copy.set(key, value);
  return readBox(copy.get('MediaBox')) ? copy : copy.set('MediaBox', [...LETTER]);
}

const KIDS_OF_A_NODE = 64;

/** Builds a balanced page tree and returns its root. Calls `place` with each page and its parent. */
export function buildPageTree(pages: readonly Ref[], place: (page: Ref, parent: Ref) => void): Ref {
  const root = Ref.to(new Dict());
  fill(root, pages, place);
  return root;
}

function fill(node: Ref, pages: readonly Ref[], place: (page: Ref, parent: Ref) => void): Dict {
  const dict = Dict.of({ Type: name('Pages'), Count: pages.length });
  node.value = dict;
  if (pages.length <= KIDS_OF_A_NODE) {
    for (const page of pages) place(page, node);
    return dict.set('Kids', [...pages]);
  }
  let size = KIDS_OF_A_NODE;
  while (size * KIDS_OF_A_NODE < pages.length) size *= KIDS_OF_A_NODE;
  const kids: Ref[] = [];
  for (let start = 0; start < pages.length; start += size) {
    const kid = Ref.to(new Dict());
    fill(kid, pages.slice(start, start + size), place).set('Parent', node);
    kids.push(kid);
  }
  return dict.set('Kids', kids);
}
