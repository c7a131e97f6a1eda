import type { XmlElement } from '@platen/xml';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** The elements and attributes of the RDF syntax that cannot name a property (RDF/XML, 5.1). */
const SYNTAX_TERMS = new Set(
  'Description RDF ID about parseType resource nodeID datatype aboutEach aboutEachPrefix bagID'.split(' '),
);

/**
 * The form of an XMP value: text, fields with names, or a list of one of three kinds (XMP Specification,
 * "Data types").
 */
export type XmpForm = 'text' | 'structure' | 'Bag' | 'Seq' | 'Alt';

/** A property, a field of a structure or an item of a list. */
export interface XmpNode {
  /** The namespace and the local name, separated by a space. */
  name: string;
  /** The namespace prefix in the text; an empty string if the name has none. */
  prefix: string;
  form: XmpForm;
  /** The text; an empty string for other forms. */
  text: string;
  /** The fields of a structure or the items of a list. */
  children: XmpNode[];
  /** The language of an item. */
  language: string | undefined;
}

/** Thrown for metadata that is not valid RDF. Readers ignore such metadata. */
class RdfFault extends Error {
  override name = 'RdfFault';
}

/**
 * Reads the properties of an XMP packet. Returns `undefined` if it is not valid RDF, or has the same property
 * twice.
 */
export function readXmpNodes(root: XmlElement): XmpNode[] | undefined {
  const rdf = root.name === `${RDF} RDF` ? root : root.children.find(({ name }) => name === `${RDF} RDF`);
  if (!rdf || rdf.attributes.size > 0) return undefined;
  try {
    const nodes = rdf.children.flatMap((description) => {
      require(description.name === `${RDF} Description`);
      return readDescription(description);
    });
    require(isBlank(rdf) && haveOneSubject(rdf.children) && haveDistinctNames(nodes));
    return nodes;
  } catch (error) {
    if (error instanceof RdfFault) return undefined;
    throw error;
  }
}

/** Tells whether all descriptions that name their subject name the same one. */
function haveOneSubject(descriptions: readonly XmlElement[]): boolean {
  let subject = '';
  for (const { attributes } of descriptions) {
    const about = attributes.get(`${RDF} about`) ?? attributes.get('about');
    if (about === undefined) continue;
    if (subject !== '' && about !== subject) return false;
    subject = about;
  }
  return true;
}

function require(holds: boolean): void {
  if (!holds) throw new RdfFault();
}

function isBlank({ text }: XmlElement): boolean {
  return text.trim() === '';
}

function haveDistinctNames(nodes: readonly XmpNode[]): boolean {
  return new Set(nodes.map(({ name }) => name)).size === nodes.length;
}

/** Returns the local name of a term of RDF; `undefined` for other names. */
function rdfTerm(name: string): string | undefined {
  return name.startsWith(`${RDF} `) ? name.slice(RDF.length + 1) : undefined;
}

/** Reads the attributes and elements of a description, each of which is a property or a field. */
function readDescription(description: XmlElement): XmpNode[] {
  require(isBlank(description));
  const nodes: XmpNode[] = [];
  for (const [name, text] of description.attributes) {
    const term = rdfTerm(name);
    if (term === undefined && name !== 'about' && name !== 'ID')
      nodes.push(...attributeNode(description, name, text));
    else require(['about', 'ID', 'nodeID', 'about', 'type'].includes(term ?? name));
  }
  nodes.push(...description.children.map(readProperty));
  require(haveDistinctNames(nodes));
  return nodes;
}

/**
 * Returns the property that an attribute states; nothing for an attribute of XML itself, such as the
 * language.
 */
function attributeNode({ prefixes }: XmlElement, name: string, text: string): XmpNode[] {
  if (name.startsWith('xml ')) return [];
  require(name.includes(' '));
  return [textNode({ name, prefix: prefixes.get(name) ?? '' }, text)];
}

function textNode({ name, prefix }: Pick<XmpNode, 'name' | 'prefix'>, text: string): XmpNode {
  return { name, prefix, form: 'text', text, children: [], language: undefined };
}

function readProperty(element: XmlElement): XmpNode {
  const term = rdfTerm(element.name);
  require(element.name.includes(' ') && (term === undefined || !SYNTAX_TERMS.has(term)));
  const language = element.attributes.get('xml lang');
  return { ...readValue(element), name: element.name, prefix: element.prefix, language };
}

function readValue(element: XmlElement): XmpNode {
  const others = [...element.attributes.keys()].filter((name) => name !== 'xml lang' && name !== `${RDF} ID`);
  if (element.attributes.has(`${RDF} parseType`)) {
    require(element.attributes.get(`${RDF} parseType`) === 'Resource' && others.length === 1);
    require(isBlank(element));
    return structureOf(element, element.children.map(readProperty));
  }
  if (others.length === 1 && others[0] === `${RDF} datatype`) {
    require(element.children.length === 0);
    return textNode(element, element.text);
  }
  if (others.length > 0) return readAttributes(element, others);
  const [only, ...more] = element.children;
  if (!only) return textNode(element, element.text);
  require(more.length === 0 && isBlank(element));
  const form = rdfTerm(only.name);
  if (form === 'Bag' || form === 'Seq' || form === 'Alt') {
    const children = only.children.map(readProperty);
    require(isBlank(only));
    return { ...textNode(element, ''), form, children };
  }
  require(form === undefined || form === 'Description');
  return structureOf(element, readDescription(only));
}

/** Reads a property whose value is in its attributes (RDF/XML, 2.12 and 7.2.21). */
function readAttributes(element: XmlElement, names: readonly string[]): XmpNode {
  require(element.children.length === 0 && element.text === '');
  const { attributes } = element;
  const value = attributes.get(`${RDF} value`);
  const resource = attributes.get(`${RDF} resource`);
  require(value === undefined || resource === undefined);
  for (const name of names)
    require(['resource', 'nodeID', 'value', undefined].includes(rdfTerm(name)) && name.includes(' '));
  if (value !== undefined || resource !== undefined) return textNode(element, value ?? resource ?? '');
  const fields = names.filter((name) => rdfTerm(name) === undefined);
  if (fields.length === 0) return textNode(element, '');
  const children = fields.flatMap((name) => attributeNode(element, name, attributes.get(name) ?? ''));
  return { ...textNode(element, ''), form: 'structure', children };
}

/**
 * Returns a structure, or the value itself if the fields are a value and its qualifiers (RDF/XML,
 * `rdf:value`).
 */
function structureOf(element: XmlElement, children: XmpNode[]): XmpNode {
  require(haveDistinctNames(children));
  const value = children.find(({ name }) => name === `${RDF} value`);
  return value ?? { ...textNode(element, ''), form: 'structure', children };
}
