import type { Findings } from './findings.ts';
import type { XmlElement } from './xml.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const PDFA_EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';

/** The fields that a part of a schema description has (ISO 19005-1 6.7.8, ISO 19005-2 6.6.2.3.3). */
interface Structure {
  namespace: string;
  /** The prefix that the standard requires. */
  prefix: string;
  /** The required fields, whose values are text. */
  texts: readonly string[];
  /** The optional fields, whose values are lists of structures. */
  lists: Readonly<Record<string, Structure>>;
}

const FIELD: Structure = {
  namespace: 'http://www.aiim.org/pdfa/ns/field#',
  prefix: 'pdfaField',
  texts: ['name', 'valueType', 'description'],
  lists: {},
};
const TYPE: Structure = {
  namespace: 'http://www.aiim.org/pdfa/ns/type#',
  prefix: 'pdfaType',
  texts: ['type', 'namespaceURI', 'prefix', 'description'],
  lists: { field: FIELD },
};
const PROPERTY: Structure = {
  namespace: 'http://www.aiim.org/pdfa/ns/property#',
  prefix: 'pdfaProperty',
  texts: ['name', 'valueType', 'category', 'description'],
  lists: {},
};
const SCHEMA: Structure = {
  namespace: 'http://www.aiim.org/pdfa/ns/schema#',
  prefix: 'pdfaSchema',
  texts: ['schema', 'namespaceURI', 'prefix'],
  lists: { property: PROPERTY, valueType: TYPE },
};

/**
 * Reads the names of the properties that extension schemas declare, each as its namespace, a space and its local name. Reports descriptions that
 * violate the standard, but does not check whether value types are defined.
 */
export function readExtensionSchemas(rdf: XmlElement, findings: Findings): Set<string> {
  const declared = new Set<string>();
  for (const { children } of rdf.children)
    for (const schemas of children) {
      if (schemas.name !== `${PDFA_EXTENSION} schemas`) continue;
      findings.expect(schemas.prefix === 'pdfaExtension', 'extensions', MALFORMED);
      for (const schema of readList(schemas, 'Bag', SCHEMA, findings)) {
        const uri = textOf(schema.get('namespaceURI'));
        const properties = schema.get('property');
        if (properties)
          for (const property of readList(properties, 'Seq', PROPERTY, findings)) {
            declared.add(`${uri} ${textOf(property.get('name'))}`);
            const category = textOf(property.get('category'));
            findings.expect(category === 'internal' || category === 'external', 'extensions', MALFORMED);
          }
      }
    }
  return declared;
}

const MALFORMED = 'the description of an extension schema in the metadata is not complete and valid';

/** Reads a list of structures, and returns the fields of each structure by name. */
function readList(
  element: XmlElement,
  kind: 'Bag' | 'Seq',
  structure: Structure,
  findings: Findings,
): ReadonlyMap<string, XmlElement>[] {
  const [list, ...others] = element.children;
  findings.expect(list?.name === `${RDF} ${kind}` && others.length === 0, 'extensions', MALFORMED);
  const items = list?.children.filter(({ name }) => name === `${RDF} li`) ?? [];
  return items.map((item) => readStructure(item, structure, findings));
}

function readStructure(
  item: XmlElement,
  { namespace, prefix, texts, lists }: Structure,
  findings: Findings,
): ReadonlyMap<string, XmlElement> {
  const [only] = item.children;
  const elements = only?.name === `${RDF} Description` ? only.children : item.children;
  const fields = new Map<string, XmlElement>();
  for (const field of elements) {
    const [uri, local = ''] = field.name.split(' ');
    const isKnown = uri === namespace && (texts.includes(local) || Object.hasOwn(lists, local));
    findings.expect(isKnown && field.prefix === prefix, 'extensions', MALFORMED);
    if (isKnown) fields.set(local, field);
  }
  for (const name of texts) {
    const field = fields.get(name);
    findings.expect(field !== undefined && field.children.length === 0, 'extensions', MALFORMED);
  }
  for (const [name, inner] of Object.entries(lists)) {
    const field = fields.get(name);
    // readExtensionSchemas reads the properties.
    if (field && inner !== PROPERTY) readList(field, 'Seq', inner, findings);
  }
  return fields;
}

function textOf(element: XmlElement | undefined): string {
  return element?.text.trim() ?? '';
}
