import {
  asDict,
  decodeText,
  Dict,
  PdfError,
  readPages,
  Ref,
  resolve,
  type Box,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { Field, inheritAttributes, type Attributes } from './field.ts';

/** The maximum number of field tree nodes. */
const MAX_FIELDS = 200_000;
/** Limits the length of names, which grow with each level. */
const MAX_DEPTH = 100;

/** The form of a document. */
export interface Form {
  /** The interactive form dictionary, or `undefined` if the document has no form. */
  dict: Dict | undefined;
  /** All fields in tree order, followed by unlisted fields in page order. */
  fields: Field[];
  /** Roots of field trees that the form does not list, found through their widgets. */
  unlisted: Ref[];
  pages: Page[];
  /** Whether the document has an XFA form, which is not read. */
  xfa: boolean;
}

interface Step {
  node: PdfObject;
  /** The full name of the parent. */
  name: string;
  /** The field to which a node without a partial name belongs. */
  field: Field | undefined;
  attributes: Attributes;
  depth: number;
  /** Whether the node is known to have kids with names, so that it is not a field. */
  isBranch?: boolean;
}

/**
 * Reads all fields of a document: the form's field tree, and widgets on pages outside it. Like readers,
 * combines nodes with the same full name and type. Visits each node once, even in cyclic trees.
 * @throws {PdfError} if there are too many fields, or no pages.
 */
export function readForm(document: PdfDocument): Form {
  const { pages } = readPages(document);
  const dict = document.catalog.dict('AcroForm');
  const reader = new FieldReader(pages);
  const defaults = inheritAttributes(Dict.of({ DA: dict?.raw('DA'), Q: dict?.raw('Q') }), new Map());
  reader.walk(dict?.array('Fields') ?? [], defaults);
  const unlisted = reader.findUnlisted(defaults);
  const xfa = (dict?.get('XFA') ?? null) !== null;
  return { dict, fields: reader.fields, unlisted, pages, xfa };
}

class FieldReader {
  readonly fields: Field[] = [];
  readonly #byName = new Map<string, Field>();
  /** The visited nodes, with the context of their kids. */
  readonly #seen = new Map<Dict, Omit<Step, 'node'>>();
  readonly #pages: readonly Page[];
  /** The page that lists each annotation. */
  readonly #pageOf = new Map<Dict, number>();

  constructor(pages: readonly Page[]) {
    this.#pages = pages;
    for (const [index, page] of pages.entries())
      for (const annotation of page.dict.array('Annots') ?? []) {
        const dict = resolve(annotation);
        if (dict instanceof Dict && !this.#pageOf.has(dict)) this.#pageOf.set(dict, index);
      }
  }

  walk(roots: readonly PdfObject[], attributes: Attributes): void {
    const steps: Step[] = [];
    const add = (nodes: readonly PdfObject[], step: Omit<Step, 'node'>) => {
      for (let index = nodes.length - 1; index >= 0; index--)
        steps.push({ ...step, node: nodes[index] ?? null });
    };
    const top = { name: '', field: undefined, attributes, depth: 0 };
    // The form may list a field whose parent has its name and type, but not in the parent's kids.
    for (const root of roots) {
      const path = [...this.#unseenAncestors(root), root];
      for (const [index, node] of path.entries()) {
        const parent = asDict(fieldParent(node));
        const context = (parent && this.#seen.get(parent)) ?? top;
        add([node], { ...context, isBranch: asDict(path[index + 1])?.map.has('T') ?? false });
        for (let step = steps.pop(); step; step = steps.pop()) {
          const dict = resolve(step.node);
          if (!(dict instanceof Dict) || this.#seen.has(dict) || step.depth > MAX_DEPTH) continue;
          if (this.#seen.size >= MAX_FIELDS)
            throw new PdfError('too-complex', `has more than ${MAX_FIELDS} form fields`);
          this.#seen.set(dict, step);
          const within = this.#visit(dict, step);
          this.#seen.set(dict, within);
          add(dict.array('Kids') ?? [], within);
        }
      }
    }
  }

  /** Returns the ancestors of a field that were not visited, the highest first. */
  #unseenAncestors(node: PdfObject): PdfObject[] {
    const own = asDict(node);
    if (own && this.#seen.has(own)) return [];
    const ancestors: PdfObject[] = [];
    const known = new Set([own]);
    for (let parent = fieldParent(node); parent !== undefined; parent = fieldParent(parent)) {
      const dict = asDict(parent);
      // Parents in a loop have no root, so they give no name.
      if (known.has(dict)) return [];
      if (!dict || this.#seen.has(dict) || known.size > MAX_DEPTH) break;
      known.add(dict);
      ancestors.push(parent);
    }
    return ancestors.toReversed();
  }

  /** Reads widgets outside the field tree, and returns the roots of their trees. */
  findUnlisted(attributes: Attributes): Ref[] {
    const roots: Ref[] = [];
    for (const page of this.#pages)
      for (const annotation of page.dict.array('Annots') ?? []) {
        const dict = resolve(annotation);
        if (!(dict instanceof Dict) || dict.name('Subtype') !== 'Widget' || this.#seen.has(dict)) continue;
        const root = rootOf(annotation);
        this.walk([root], attributes);
        // The parent may not list this widget.
        if (!this.#seen.has(dict)) this.walk([annotation], attributes);
        if (root instanceof Ref) roots.push(root);
      }
    return roots;
  }

  /** Reads a node, and returns the context of its kids. */
  #visit(dict: Dict, step: Step): Omit<Step, 'node'> {
    const { node, name: above, field: owner, attributes: from, depth } = step;
    const attributes = inheritAttributes(dict, from);
    const partial = dict.string('T');
    const name = partial ? joinNames(above, decodeText(partial)) : above;
    const ref = node instanceof Ref ? node : undefined;
    const kids = (dict.array('Kids') ?? []).map((kid) => resolve(kid));
    const isBranch =
      step.isBranch === true ||
      kids.some((kid) => kid instanceof Dict && !this.#seen.has(kid) && kid.map.has('T'));
    let field = partial || !owner ? undefined : owner;
    if (!field && !isBranch) {
      field = this.#fieldOf(name, attributes);
      field.nodes.push({ dict, ref });
    }
    if (field && (dict.name('Subtype') === 'Widget' || (kids.length === 0 && dict.map.has('Rect'))))
      field.widgets.push({ dict, ref, page: this.#locationOf(dict), rect: readRect(dict.array('Rect')) });
    return { name, field, attributes, depth: depth + 1 };
  }

  #fieldOf(name: string, attributes: Attributes): Field {
    const made = new Field(name, attributes);
    const key = `${made.kind} ${name}`;
    const known = name === '' ? undefined : this.#byName.get(key);
    if (known) return known;
    this.#byName.set(key, made);
    this.fields.push(made);
    return made;
  }

  /** Returns the page that lists the widget. Readers ignore its `P` entry. */
  #locationOf(widget: Dict): number | undefined {
    return this.#pageOf.get(widget);
  }
}

function joinNames(above: string, partial: string): string {
  return above === '' ? partial : `${above}.${partial}`;
}

/** Returns the parent of a field; `undefined` if it has none, or one that is not a field. */
function fieldParent(node: PdfObject): PdfObject | undefined {
  const parent = asDict(node)?.raw('Parent');
  const dict = asDict(parent);
  return dict && (dict.map.has('T') || dict.map.has('FT')) ? parent : undefined;
}

function rootOf(annotation: PdfObject): PdfObject {
  const seen = new Set<Dict>();
  let root = annotation;
  for (;;) {
    const dict = resolve(root);
    if (!(dict instanceof Dict) || seen.has(dict)) return annotation;
    seen.add(dict);
    const parent = dict.raw('Parent');
    if (!(resolve(parent) instanceof Dict) || seen.size > MAX_DEPTH) return root;
    root = parent ?? null;
  }
}

function readRect(value: readonly PdfObject[] | undefined): Box | undefined {
  const [a, b, c, d] = (value ?? []).map((item) => resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
}
