import { asDict, Dict, Name, Ref, resolve, type PdfDocument, type PdfObject } from '@platen/pdf/objects';

/** A structure element as the checks see it. */
export interface TaggedElement {
  dict: Dict;
  /** The standard type that the role map assigns; `undefined` for an unknown type. */
  type: string | undefined;
  /** The type in the file. */
  written: string;
  parent: TaggedElement | undefined;
  children: TaggedElement[];
  /** Whether the element itself, and not only a child, has content or annotations. */
  hasContent: boolean;
  /** The attribute objects of the element and of its classes. */
  attributes: readonly Dict[];
  /** Whether the element, or one around it, has a language. */
  hasLanguage: boolean;
}

/** The standard structure types (ISO 32000-1 14.8.4). */
const STANDARD = new Set(
  'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form'.split(
    ' ',
  ),
);
/** The maximum number of entries of the role map between a type and its standard type. */
const MAX_ROLES = 32;
const MAX_DEPTH = 3_000;

/**
 * Reads the elements of a structure tree in the order of the document. Returns `undefined` if the tree is too
 * deep.
 */
export function walkStructure({ catalog }: PdfDocument): TaggedElement[] | undefined {
  const tree = catalog.dict('StructTreeRoot');
  const roles = tree?.dict('RoleMap') ?? new Dict();
  const classes = tree?.dict('ClassMap');
  const found: TaggedElement[] = [];
  const seen = new Set<Dict>();
  let isTooDeep = false;
  const visit = (object: PdfObject, parent: TaggedElement | undefined, depth: number): void => {
    const value = resolve(object);
    if (depth > MAX_DEPTH) isTooDeep = true;
    else if (Array.isArray(value)) for (const item of value) visit(item, parent, depth + 1);
    else if (value instanceof Dict && value.map.has('S')) {
      if (seen.has(value)) return;
      seen.add(value);
      const written = value.name('S') ?? '';
      const element: TaggedElement = {
        dict: value,
        type: standardType(written, roles),
        written,
        parent,
        children: [],
        hasContent: false,
        attributes: attributesOf(value, classes),
        hasLanguage: parent?.hasLanguage === true || (value.string('Lang')?.bytes.length ?? 0) > 0,
      };
      parent?.children.push(element);
      found.push(element);
      visit(value.raw('K') ?? null, element, depth + 1);
    } else if (parent && value !== null) parent.hasContent = true;
  };
  visit(tree?.raw('K') ?? null, undefined, 0);
  return isTooDeep ? undefined : found;
}

/**
 * Returns the attribute objects of an element and of its classes (ISO 32000-1 14.7.5). The lists also contain
 * revision numbers.
 */
function attributesOf(element: Dict, classes: Dict | undefined): Dict[] {
  const listed = element.get('C');
  const named = (Array.isArray(listed) ? listed : [listed ?? null]).flatMap((item) => {
    const object = resolve(item);
    return object instanceof Name ? [classes?.get(object.value) ?? null] : [];
  });
  return [element.get('A') ?? null, ...named].flatMap((item) =>
    (Array.isArray(item) ? item : [item]).flatMap((object) => asDict(object) ?? []),
  );
}

/** Follows the role map to a standard type (ISO 32000-1 14.7.3). Does not map standard types. */
function standardType(written: string, roles: Dict): string | undefined {
  let type: string | undefined = written;
  for (let hops = 0; type !== undefined && hops < MAX_ROLES; hops++) {
    if (STANDARD.has(type)) return type;
    type = roles.name(type);
  }
  return undefined;
}

/** Tells whether the role map gives a standard type another meaning. */
export function remapsStandardType({ catalog }: PdfDocument): boolean {
  const roles = catalog.dict('StructTreeRoot')?.dict('RoleMap');
  return [...(roles?.map.keys() ?? [])].some((type) => STANDARD.has(type));
}

/** Indexes elements by their dictionaries, to which other parts of the file refer. */
export function byDict(elements: readonly TaggedElement[]): ReadonlyMap<Dict, TaggedElement> {
  return new Map(elements.map((element) => [element.dict, element]));
}

/** Returns the element that a value refers to. */
export function elementOf(
  object: PdfObject | undefined,
  elements: ReadonlyMap<Dict, TaggedElement>,
): TaggedElement | undefined {
  const value = object instanceof Ref ? object.value : resolve(object);
  return value instanceof Dict ? elements.get(value) : undefined;
}

/** Returns an attribute of an element that has the given owner (ISO 32000-1 14.7.5). */
export function attribute(
  { attributes }: TaggedElement,
  key: string,
  owner = 'Table',
): PdfObject | undefined {
  return attributes.find((owned) => owned.name('O') === owner && owned.map.has(key))?.get(key);
}
