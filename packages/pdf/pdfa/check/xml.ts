/** An element of XML: its name and attributes with namespaces resolved, `uri name`, and what it holds. */
export interface XmlElement {
  name: string;
  prefix: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MAX_DEPTH = 64;
const TOKEN =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

interface Open {
  element: XmlElement;
  tag: string;
  scope: ReadonlyMap<string, string>;
}

/** Reads well-formed XML without document type (XML 1.0, and namespaces). `undefined` for what is none. */
export function parseXml(text: string): XmlElement | undefined {
  const root: XmlElement = { name: '', prefix: '', attributes: new Map(), children: [], text: '' };
  const open: Open[] = [{ element: root, tag: '', scope: new Map([['xml', 'xml']]) }];
  const matcher = new RegExp(TOKEN);
  while (matcher.lastIndex < text.length) {
    const token = matcher.exec(text);
    const top = open.at(-1);
    if (!token || !top || open.length > MAX_DEPTH) return undefined;
    const [, data, closing, tag, attributes = '', empty, characters] = token;
    if (data !== undefined) top.element.text += data;
    else if (closing !== undefined) {
      if (open.length < 2 || top.tag !== closing) return undefined;
      open.pop();
    } else if (tag !== undefined) {
      const opened = openElement(tag, attributes, top.scope);
      if (!opened) return undefined;
      top.element.children.push(opened.element);
      if (empty === '') open.push(opened);
    } else if (characters !== undefined) {
      const decoded = decode(characters);
      if (decoded === undefined) return undefined;
      top.element.text += decoded;
    }
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0] : undefined;
}

function openElement(tag: string, source: string, outer: ReadonlyMap<string, string>): Open | undefined {
  const scope = new Map(outer);
  const raw: [string, string][] = [];
  for (const [, key = '', double, single] of source.matchAll(ATTRIBUTE)) {
    const value = decode(double ?? single ?? '');
    if (value === undefined) return undefined;
    if (key === 'xmlns') scope.set('', value);
    else if (key.startsWith('xmlns:')) scope.set(key.slice(6), value);
    else raw.push([key, value]);
  }
  const attributes = new Map<string, string>();
  for (const [key, value] of raw) {
    const named = key.includes(':') ? qualify(key, scope) : key;
    if (named === undefined || attributes.has(named)) return undefined;
    attributes.set(named, value);
  }
  const name = qualify(tag, scope);
  if (name === undefined) return undefined;
  const prefix = tag.includes(':') ? tag.slice(0, tag.indexOf(':')) : '';
  return { element: { name, prefix, attributes, children: [], text: '' }, tag, scope };
}

function qualify(tag: string, scope: ReadonlyMap<string, string>): string | undefined {
  const colon = tag.indexOf(':');
  const uri = scope.get(colon < 0 ? '' : tag.slice(0, colon));
  if (uri === undefined) return colon < 0 ? tag : undefined;
  return `${uri} ${tag.slice(colon + 1)}`;
}

function decode(text: string): string | undefined {
  let sound = true;
  const decoded = text.replaceAll(/&([^;&]*);?/g, (_: string, entity: string) => {
    const code = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(entity);
    if (code)
      return String.fromCodePoint(
        Math.min(Number.parseInt(code[1] ?? code[2] ?? '0', code[1] ? 16 : 10), 0x10ffff),
      );
    const known = ENTITIES[entity];
    if (known === undefined) sound = false;
    return known ?? '';
  });
  return sound ? decoded : undefined;
}
