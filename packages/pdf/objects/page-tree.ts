import { PdfError } from './errors.ts';
import type { PdfDocument } from './document.ts';
import { Dict, name, Ref, resolve, type PdfObject } from './objects.ts';
import { LETTER, readBox } from './page-box.ts';

/** Page attributes inherited from parent nodes (ISO 32000-1 7.7.3.4). */
const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/**
 * The maximum number of pages in a file. Each takes kilobytes of memory, even if it takes few bytes of the
 * file.
 */
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
  /**
   * Whether all readers find the same pages: each node has the right `Count`, and each page is a page object
   * that occurs once.
   */
  isRegular: boolean;
}

interface Step {
  kid: PdfObject;
  inherited: ReadonlyMap<string, PdfObject>;
  depth: number;
  /** The index of the parent among the nodes. */
  parent: number;
}

/**
 * Reads the page tree. Ignores `/Count` and `/Parent`, and enters each node once. Like other readers, counts
 * a dictionary without `Kids` as a page whatever its type, and ignores other objects.
 * @throws {PdfError} if the file has no pages or too many.
 */
export function readPages({ catalog }: Pick<PdfDocument, 'catalog'>): PageTree {
  const pages: Page[] = [];
  const nodes = new Set<Ref>();
  const seen = new Set<Dict>();
  const root = catalog.raw('Pages') ?? null;
  const counts = new PageCounts();
  let repeated = 0;
  let isRegular = true;
  const steps: Step[] = [{ kid: root, inherited: new Map(), depth: 0, parent: -1 }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { kid, inherited, depth, parent } = step;
    const dict = resolve(kid);
    if (!(dict instanceof Dict)) {
      isRegular = false;
      continue;
    }
    const kids = kidsOf(dict);
    if (!kids) {
      if (depth === 0 && dict.name('Type') !== 'Page') continue;
      const type = dict.name('Type') ?? 'Page';
      // An object of another type, such as a font, has another use too.
      const again = seen.has(dict) || !(kid instanceof Ref) || type !== 'Page';
      if (again || depth === 0) isRegular = false;
      counts.addPage(parent);
      if (seen.has(dict)) repeated += 1;
      if (repeated > MAX_REPEATED_PAGES)
        throw new PdfError('too-complex', `lists pages again more than ${MAX_REPEATED_PAGES} times`);
      seen.add(dict);
      const page = type === 'Page' ? dict : dict.copy().set('Type', name('Page'));
      pages.push({ ref: again ? Ref.to(page.copy()) : kid, dict: page, inherited: missing(page, inherited) });
      if (pages.length > MAX_PAGES) throw new PdfError('too-complex', `has more than ${MAX_PAGES} pages`);
      continue;
    }
    if (seen.has(dict) || depth > MAX_DEPTH) {
      isRegular = false;
      continue;
    }
    seen.add(dict);
    if (kid instanceof Ref) nodes.add(kid);
    const node = counts.addNode(parent, dict);
    const passedOn = pass(dict, inherited);
    for (let index = kids.length - 1; index >= 0; index--)
      steps.push({ kid: kids[index] ?? null, inherited: passedOn, depth: depth + 1, parent: node });
  }
  if (pages.length === 0) throw new PdfError('damaged', 'is damaged beyond repair: it has no pages');
  return { pages, nodes: [...nodes], isRegular: isRegular && counts.areRight() };
}

/** Returns the children of a node. Some writers give a node with one child a reference to it. */
function kidsOf(dict: Dict): PdfObject[] | undefined {
  const kids = dict.array('Kids');
  if (kids) return kids;
  return dict.dict('Kids') ? [dict.raw('Kids') ?? null] : undefined;
}

/** Compares the number of pages below each node with the number that it declares. */
class PageCounts {
  /** Parents precede their children. */
  readonly #nodes: { parent: number; declared: number | undefined; found: number }[] = [];

  addNode(parent: number, dict: Dict): number {
    return this.#nodes.push({ parent, declared: dict.array('Kids') && dict.number('Count'), found: 0 }) - 1;
  }

  addPage(parent: number): void {
    const node = this.#nodes[parent];
    if (node) node.found++;
  }

  areRight(): boolean {
    for (const { parent, found } of this.#nodes.toReversed()) {
      const above = this.#nodes[parent];
      if (above) above.found += found;
    }
    return this.#nodes.every(({ declared, found }) => declared === found);
  }
}

/** Gives a catalog a new page tree if readers would find different pages in its own. */
export function repairPageTree(catalog: Dict): void {
  const { pages, isRegular } = readPages({ catalog });
  if (isRegular) return;
  const dicts = new Map(pages.map((page) => [page.ref, standalone(page).set('Type', name('Page'))]));
  const place = (ref: Ref, parent: Ref) => {
    ref.value = dicts.get(ref)?.set('Parent', parent) ?? null;
  };
  catalog.set(
    'Pages',
    buildPageTree(
      pages.map(({ ref }) => ref),
      place,
    ),
  );
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
 * Returns a copy of a page's dictionary with all inherited attributes, without its parent. If MediaBox is
 * missing, uses the size that readers assume.
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
