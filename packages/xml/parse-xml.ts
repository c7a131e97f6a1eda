/**
 * An XML element. The name of an element or attribute in a namespace is the URI of the namespace, a space,
 * and the local name.
 */
export interface XmlElement {
  name: string;
  /** The namespace prefix in the text; an empty string if the name has none. */
  prefix: string;
  attributes: Map<string, string>;
  /** The namespace prefixes in the text of those attributes that have one, by the names of the attributes. */
  prefixes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text directly in the element, without that of its children. */
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MAX_DEPTH = 64;
/** Shared by all elements without such attributes, to save memory. */
const NO_PREFIXES: ReadonlyMap<string, string> = new Map();
/**
 * The maximum length of a namespace. Every name includes its namespace, so a long namespace takes much
 * memory.
 */
const MAX_NAMESPACE_CHARACTERS = 2_000;

/**
 * The namespaces that an element declares, by prefix, and the scope of the element around it. Copying all
 * namespaces would take quadratic time.
 */
interface Scope {
  declared: ReadonlyMap<string, string>;
  outer: Scope | undefined;
}

/** An element whose end tag has not been read. */
interface Open {
  element: XmlElement;
  tag: string;
  scope: Scope;
}

/**
 * Parses XML without a document type declaration (XML 1.0, Namespaces in XML). Returns `undefined` if it is
 * not well-formed.
 */
export function parseXml(text: string): XmlElement | undefined {
  const root: XmlElement = {
    name: '',
    prefix: '',
    attributes: new Map(),
    prefixes: NO_PREFIXES,
    children: [],
    text: '',
  };
  const open: Open[] = [
    { element: root, tag: '', scope: { declared: new Map([['xml', 'xml']]), outer: undefined } },
  ];
  const scanner = new Scanner(text);
  while (!scanner.isAtEnd) {
    const top = open.at(-1);
    if (!top || open.length > MAX_DEPTH) return undefined;
    if (scanner.accept('<?')) {
      if (scanner.until('?>') === undefined) return undefined;
    } else if (scanner.accept('<!--')) {
      if (scanner.until('-->') === undefined) return undefined;
    } else if (scanner.accept('<![CDATA[')) {
      const data = scanner.until(']]>');
      if (data === undefined) return undefined;
      top.element.text += data;
    } else if (scanner.accept('</')) {
      const tag = scanner.until('>')?.trimEnd();
      if (open.length < 2 || top.tag !== tag) return undefined;
      open.pop();
    } else if (scanner.accept('<')) {
      const tag = readTag(scanner);
      const opened = tag && openElement(tag, top.scope);
      if (!opened) return undefined;
      top.element.children.push(opened.element);
      if (!tag.isEmpty) open.push(opened);
    } else {
      const decoded = decode(scanner.take(/[^<]*/y));
      if (decoded === undefined) return undefined;
      top.element.text += decoded;
    }
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0] : undefined;
}

/** Scans a text from start to end, in linear time. */
class Scanner {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Consumes a word if it is next. Returns whether it is. */
  accept(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Consumes and returns the match of a sticky pattern, or an empty string. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ''] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }

  /**
   * Consumes the text up to and including a word, and returns the text before it. Returns `undefined` if the
   * word does not follow.
   */
  until(word: string): string | undefined {
    const end = this.#text.indexOf(word, this.#at);
    if (end < 0) return undefined;
    const taken = this.#text.slice(this.#at, end);
    this.#at = end + word.length;
    return taken;
  }
}

interface Tag {
  name: string;
  attributes: [key: string, value: string][];
  isEmpty: boolean;
}

/** Reads a start tag after its `<`. */
function readTag(scanner: Scanner): Tag | undefined {
  const name = scanner.take(/[^\s/>!?]*/y);
  if (name === '') return undefined;
  const attributes: Tag['attributes'] = [];
  for (;;) {
    const blanks = scanner.take(/\s*/y);
    if (scanner.accept('>')) return { name, attributes, isEmpty: false };
    if (scanner.accept('/>')) return { name, attributes, isEmpty: true };
    const key = scanner.take(/[^\s=/>]*/y);
    scanner.take(/\s*/y);
    if (blanks === '' || key === '' || !scanner.accept('=')) return undefined;
    scanner.take(/\s*/y);
    const value = scanner.accept('"')
      ? scanner.until('"')
      : scanner.accept("'")
        ? scanner.until("'")
        : undefined;
    if (value === undefined) return undefined;
    attributes.push([key, value]);
  }
}

function openElement({ name: tag, attributes: written }: Tag, outer: Scope): Open | undefined {
  const declared = new Map<string, string>();
  const raw: [string, string][] = [];
  for (const [key, text] of written) {
    const value = decode(text);
    if (value === undefined) return undefined;
    if ((key === 'xmlns' || key.startsWith('xmlns:')) && value.length > MAX_NAMESPACE_CHARACTERS)
      return undefined;
    if (key === 'xmlns') declared.set('', value);
    else if (key.startsWith('xmlns:')) declared.set(key.slice(6), value);
    else raw.push([key, value]);
  }
  const scope = declared.size === 0 ? outer : { declared, outer };
  const attributes = new Map<string, string>();
  const prefixes = new Map<string, string>();
  for (const [key, value] of raw) {
    const named = key.includes(':') ? qualify(key, scope) : key;
    if (named === undefined || attributes.has(named)) return undefined;
    attributes.set(named, value);
    if (key.includes(':')) prefixes.set(named, key.slice(0, key.indexOf(':')));
  }
  const name = qualify(tag, scope);
  if (name === undefined) return undefined;
  const prefix = tag.includes(':') ? tag.slice(0, tag.indexOf(':')) : '';
  const element = {
    name,
    prefix,
    attributes,
    prefixes: prefixes.size > 0 ? prefixes : NO_PREFIXES,
    children: [],
    text: '',
  };
  return { element, tag, scope };
}

/**
 * Returns the name of an element or attribute with its namespace; `undefined` if its prefix is not declared.
 */
function qualify(tag: string, scope: Scope): string | undefined {
  const colon = tag.indexOf(':');
  const uri = namespaceOf(colon < 0 ? '' : tag.slice(0, colon), scope);
  if (uri === undefined) return colon < 0 ? tag : undefined;
  return `${uri} ${tag.slice(colon + 1)}`;
}

/**
 * Returns the namespace of a prefix; `undefined` if it is not declared. Searches at most {@link MAX_DEPTH}
 * scopes.
 */
function namespaceOf(prefix: string, scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const uri = at.declared.get(prefix);
    if (uri !== undefined) return uri;
  }
  return undefined;
}

/** Replaces references to characters and entities. Returns `undefined` if an entity is unknown. */
function decode(text: string): string | undefined {
  let valid = true;
  const decoded = text.replaceAll(/&([^;&]*);?/g, (_: string, entity: string) => {
    const code = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(entity);
    if (code)
      return String.fromCodePoint(
        Math.min(Number.parseInt(code[1] ?? code[2] ?? '0', code[1] ? 16 : 10), 0x10ffff),
      );
    const known = Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : undefined;
    if (known === undefined) valid = false;
    return known ?? '';
  });
  return valid ? decoded : undefined;
}
