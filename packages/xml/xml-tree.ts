/**
 * An element that keeps the order of its content, so that a document can be changed and written again. Names
 * keep their prefix, except for the prefixes that `readTree` replaces.
 */
export interface TreeElement {
  name: string;
  /** Values as written, with their references to characters. */
  attributes: Map<string, string>;
  children: TreeNode[];
}

/** An element, or text as written, with its references to characters. Comments are not kept. */
export type TreeNode = TreeElement | string;

/** Thrown for a document that is not well-formed, or that exceeds a limit. The message is a predicate. */
export class XmlFault extends Error {
  override name = 'XmlFault';
}

const MAX_DEPTH = 256;
const MAX_NODES = 4_000_000;
const NAME = /[^\s/>=<"'&!?]+/y;
const ATTRIBUTE = /\s+([^\s/>=<"'&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const REFERENCE = /&(?:([a-z]{1,8})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const ONE_REFERENCE = /&(?:([a-z]{1,8})|#\d{1,7}|#x[0-9a-f]{1,6});/iy;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
// oxlint-disable-next-line eslint/no-control-regex -- XML 1.0 does not allow these characters
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/**
 * Reads XML without a document type declaration (XML 1.0). `prefixes` has the prefix by which the caller
 * knows a namespace: names in it get this prefix, and no prefix if it is empty. Takes linear time.
 * @throws {XmlFault}
 */
export function readTree(text: string, prefixes: ReadonlyMap<string, string> = new Map()): TreeElement {
  if (FORBIDDEN.test(text)) throw new XmlFault('has a character that XML does not allow');
  const root: TreeElement = { name: '', attributes: new Map(), children: [] };
  const open: { element: TreeElement; tag: string; renamed: ReadonlyMap<string, string> }[] = [
    { element: root, tag: '', renamed: new Map() },
  ];
  let nodes = 0;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const skipPast = (word: string) => {
    const end = text.indexOf(word, at);
    if (end < 0) throw new XmlFault('ends too early');
    at = end + word.length;
  };
  while (at < text.length) {
    const top = open.at(-1);
    if (!top) break;
    if ((nodes += 1) > MAX_NODES) throw new XmlFault(`has more than ${MAX_NODES} elements and texts`);
    if (text.charCodeAt(at) !== 60) {
      const end = text.indexOf('<', at);
      const content = text.slice(at, end < 0 ? text.length : end);
      if (open.length > 1) {
        requireReferences(content);
        top.element.children.push(content);
      } else if (content.trim() !== '') throw new XmlFault('has text outside its root element');
      at += content.length;
    } else if (text.startsWith('<?', at)) skipPast('?>');
    else if (text.startsWith('<!--', at)) skipPast('-->');
    else if (text.startsWith('<![CDATA[', at)) {
      const start = at + 9;
      const end = text.indexOf(']]>', start);
      if (end < 0) throw new XmlFault('ends too early');
      top.element.children.push(encodeXml(text.slice(start, end)));
      at = end + 3;
    } else if (text.startsWith('<!', at))
      throw new XmlFault('has a document type declaration, which is not accepted');
    else if (text.startsWith('</', at)) {
      const end = text.indexOf('>', at);
      if (open.length < 2 || end < 0 || text.slice(at + 2, end).trimEnd() !== top.tag)
        throw new XmlFault(`is not well-formed near <${top.tag}>`);
      open.pop();
      at = end + 1;
    } else {
      at += 1;
      const tag = take(NAME);
      if (!tag) throw new XmlFault('has a tag without a name');
      if (open.length > MAX_DEPTH) throw new XmlFault(`is nested more than ${MAX_DEPTH} levels deep`);
      const attributes = new Map<string, string>();
      for (let match = exec(ATTRIBUTE); match; match = exec(ATTRIBUTE)) {
        const [, key = '', double, single = ''] = match;
        const value = double ?? single;
        requireReferences(value);
        if (attributes.has(key)) throw new XmlFault(`has the attribute ${key} twice in <${tag}>`);
        attributes.set(key, value.includes('"') ? value.replaceAll('"', '&quot;') : value);
      }
      const closing = exec(TAG_END);
      if (!closing) throw new XmlFault(`is not well-formed in <${tag}>`);
      const renamed = renamedIn(attributes, top.renamed, prefixes);
      const element = { name: rename(tag, renamed, true), attributes, children: [] };
      if (renamed.size > 0) element.attributes = renameKeys(attributes, renamed);
      top.element.children.push(element);
      if (closing[1] === '') open.push({ element, tag, renamed });
    }
  }
  const [element, ...others] = root.children;
  if (open.length !== 1 || typeof element !== 'object' || others.length > 0)
    throw new XmlFault('is not well-formed: it needs exactly one root element, with its end tag');
  for (const [uri, prefix] of prefixes) declare(element, prefix, uri);
  return element;

  function exec(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match;
  }
  function take(pattern: RegExp): string | undefined {
    return exec(pattern)?.[0];
  }
}

/** Returns the replaced prefixes in the scope of an element: the known prefix by the prefix in the text. */
function renamedIn(
  attributes: Map<string, string>,
  outer: ReadonlyMap<string, string>,
  prefixes: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  let renamed: Map<string, string> | undefined;
  for (const [key, value] of attributes) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
    const prefix = key.slice(6);
    const known = prefixes.get(value);
    if (known === prefix ? !outer.has(prefix) : known === undefined && !outer.has(prefix)) continue;
    renamed ??= new Map(outer);
    if (known === undefined || known === prefix) renamed.delete(prefix);
    else renamed.set(prefix, known);
  }
  return renamed ?? outer;
}

function rename(name: string, renamed: ReadonlyMap<string, string>, isElement: boolean): string {
  if (renamed.size === 0) return name;
  const colon = name.indexOf(':');
  const prefix = colon < 0 ? '' : name.slice(0, colon);
  // An attribute without a prefix has no namespace.
  const known = colon < 0 && !isElement ? undefined : renamed.get(prefix);
  if (known === undefined || name.startsWith('xmlns')) return name;
  return (known === '' ? '' : `${known}:`) + name.slice(colon + 1);
}

function renameKeys(
  attributes: Map<string, string>,
  renamed: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...attributes].map(([key, value]) => [rename(key, renamed, false), value]));
}

/** Declares a namespace at the root, unless its prefix already means another one there. */
function declare({ attributes }: TreeElement, prefix: string, uri: string): void {
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  if (prefix === '' ? [...attributes.values()].includes(uri) : !attributes.has(key)) attributes.set(key, uri);
}

/** Rejects references to entities, other than those of XML itself. */
function requireReferences(text: string): void {
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    ONE_REFERENCE.lastIndex = at;
    const match = ONE_REFERENCE.exec(text);
    if (!match || (match[1] !== undefined && !Object.hasOwn(ENTITIES, match[1])))
      throw new XmlFault('refers to an unknown entity');
  }
}

/** Writes an element with its content, as a text without a declaration. */
export function writeTree(element: TreeElement): string {
  const pieces: string[] = [];
  write(element, pieces);
  return pieces.join('');
}

function write(element: TreeElement, pieces: string[]): void {
  pieces.push('<', element.name);
  for (const [key, value] of element.attributes) pieces.push(' ', key, '="', value, '"');
  if (element.children.length === 0) {
    pieces.push('/>');
    return;
  }
  pieces.push('>');
  for (const child of element.children)
    if (typeof child === 'string') pieces.push(child);
    else write(child, pieces);
  pieces.push('</', element.name, '>');
}

/** Replaces the references to characters in a text of a tree. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(REFERENCE, (_, entity?: string, decimal?: string, hex?: string) => {
    if (entity !== undefined) return ENTITIES[entity] ?? '';
    const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return FORBIDDEN.test(character) ? '' : character;
  });
}

/** Writes a text so that it can stand in an element or in an attribute. */
export function encodeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
