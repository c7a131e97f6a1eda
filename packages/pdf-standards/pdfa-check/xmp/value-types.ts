import type { LevelRules } from '../../levels.ts';
import type { XmpForm, XmpNode } from './rdf.ts';

/** The fields of a structured value type: their namespace, and their value types by name. */
export interface StructureType {
  namespace: string;
  fields: ReadonlyMap<string, string>;
}

/** The structured value types that a property can have, by their names in lower case. */
export type StructureTypes = ReadonlyMap<string, StructureType>;

/** The value types for which any text is accepted, because veraPDF accepts any text for them. */
const TEXT_TYPES = new Set(
  'text propername agentname locale rational renditionclass uri url xpath'.split(' '),
);
const DATE =
  /^\d{1,4}(?:-\d{1,2}(?:-\d{1,2}(?:T\d{1,2}(?::\d{1,2}(?::\d{1,2}(?:\.\d+)?)?)?(?:Z|[+-]\d{1,2}(?::\d{1,2})?)?)?)?)?$/;
/** The syntax of the other value types that are text. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  boolean: /^(?:True|False)$/,
  integer: /^[+-]?\d+$/,
  real: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/,
  mimetype: /^[-\w+.]+\/[-\w+.]+$/,
};
/**
 * The syntax of coordinates, by the edition of XMP: that of 2004, which PDF/A-1 refers to, and that of 2005.
 */
const COORDINATES = {
  2004: /^\d{2},\d{2}[,.]\d{2}[NSEW]$/,
  2005: /^\d{1,3},\d{1,2}(?:,\d{1,2}|\.\d+)[NSEW]$/,
};
const LISTS: Readonly<Record<string, XmpForm>> = { bag: 'Bag', seq: 'Seq', alt: 'Alt' };
const MAX_NESTED_TYPES = 20;

/**
 * Checks values against the value types of an edition of XMP, and against the structured types of an
 * extension schema.
 */
export class ValueTypes {
  readonly #patterns: Readonly<Record<string, RegExp>>;
  readonly #structures: StructureTypes;

  constructor({ part }: Pick<LevelRules, 'part'>, structures: StructureTypes) {
    this.#patterns = { ...PATTERNS, gpscoordinate: COORDINATES[part === 1 ? 2004 : 2005] };
    this.#structures = structures;
  }

  /**
   * Tells whether a value type exists. `name` can be a list of a type, such as `bag Text` or `Seq of Date`.
   */
  has(name: string): boolean {
    let type = simplified(name);
    for (let list = listOf(type); list; list = listOf(type)) type = list.items;
    return this.#isScalar(type) || this.#structures.has(type);
  }

  /** Tells whether a value has a type. */
  matches(node: XmpNode, name: string, depth = 0): boolean {
    const type = simplified(name);
    if (type === 'any') return true;
    if (type === 'lang alt')
      return node.form === 'Alt' && (node.children.length === 0 || node.children.some(hasLanguage));
    const list = listOf(type);
    if (list)
      return (
        node.form === list.form &&
        depth < MAX_NESTED_TYPES &&
        node.children.every((item) => this.matches(item, list.items, depth + 1))
      );
    const structure = this.#structures.get(type);
    if (structure) return depth < MAX_NESTED_TYPES && this.#isStructure(node, structure, depth);
    return node.form === 'text' && this.#isText(node.text, type);
  }

  #isStructure({ form, children }: XmpNode, { namespace, fields }: StructureType, depth: number): boolean {
    if (form !== 'structure') return false;
    return children.every((child) => {
      const [uri, local = ''] = child.name.split(' ');
      const type = uri === namespace ? fields.get(local) : undefined;
      return type !== undefined && this.matches(child, type, depth + 1);
    });
  }

  #isScalar(type: string): boolean {
    return (
      TEXT_TYPES.has(type) || type === 'date' || type === 'lang alt' || Object.hasOwn(this.#patterns, type)
    );
  }

  #isText(text: string, type: string): boolean {
    if (TEXT_TYPES.has(type)) return true;
    // An absent date is an empty text.
    if (type === 'date') return text === '' || DATE.test(text);
    return Object.hasOwn(this.#patterns, type) && this.#patterns[type]?.test(text) === true;
  }
}

function hasLanguage({ language }: XmpNode): boolean {
  return language !== undefined;
}

/** Splits the name of a list type into the form of the list and the type of its items. */
function listOf(type: string): { form: XmpForm; items: string } | undefined {
  const space = type.indexOf(' ');
  const form = LISTS[type.slice(0, space)];
  return form && type !== 'lang alt' ? { form, items: type.slice(space + 1) } : undefined;
}

/**
 * Returns the name of a type in lower case without the words that say whether a choice is open or closed. A
 * choice or a list without a type is one of text.
 */
function simplified(name: string): string {
  const type = name
    .toLowerCase()
    .replaceAll(/(?:open |closed )?(?:choice |choice$)(?:of )?/g, '')
    .trim();
  if (type === '') return 'text';
  if (type.endsWith('lang alt')) return type;
  return /(?:bag|seq|alt)$/.test(type) ? `${type} text` : type;
}
