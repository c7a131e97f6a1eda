import type { Findings } from './findings.ts';
import { predefinedSchemas } from './xmp/predefined-schemas.ts';
import type { XmpNode } from './xmp/rdf.ts';
import { ValueTypes, type StructureType } from './xmp/value-types.ts';

const PDFA_EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';

/** The fields that a part of a schema description has (ISO 19005-1 6.7.8, ISO 19005-2 6.6.2.3.3). */
interface Description {
  namespace: string;
  /** The prefix that the standard requires. */
  prefix: string;
  /** The required fields, whose values are text. */
  texts: readonly string[];
  /** The optional fields, whose values are lists of descriptions. */
  lists: readonly string[];
}

const FIELD: Description = {
  namespace: 'http://www.aiim.org/pdfa/ns/field#',
  prefix: 'pdfaField',
  texts: ['name', 'valueType', 'description'],
  lists: [],
};
const TYPE: Description = {
  namespace: 'http://www.aiim.org/pdfa/ns/type#',
  prefix: 'pdfaType',
  texts: ['type', 'namespaceURI', 'prefix', 'description'],
  lists: ['field'],
};
const PROPERTY: Description = {
  namespace: 'http://www.aiim.org/pdfa/ns/property#',
  prefix: 'pdfaProperty',
  texts: ['name', 'valueType', 'category', 'description'],
  lists: [],
};
const SCHEMA: Description = {
  namespace: 'http://www.aiim.org/pdfa/ns/schema#',
  prefix: 'pdfaSchema',
  texts: ['schema', 'namespaceURI', 'prefix'],
  lists: ['property', 'valueType'],
};
const MALFORMED = 'the description of an extension schema in the metadata is not complete and valid';

/** A property that an extension schema describes, with the types that its schema knows. */
export interface DeclaredProperty {
  type: string;
  types: ValueTypes;
}

/**
 * Reads the properties that extension schemas describe, by namespace and local name. Reports descriptions
 * that violate the standard.
 */
export function readExtensionSchemas(
  nodes: readonly XmpNode[],
  findings: Findings,
): Map<string, DeclaredProperty> {
  const declared = new Map<string, DeclaredProperty>();
  const schemas = nodes.find(({ name }) => name === `${PDFA_EXTENSION} schemas`);
  if (!schemas) return declared;
  findings.expect(schemas.prefix === 'pdfaExtension' && schemas.form === 'Bag', 'extensions', MALFORMED);
  for (const item of schemas.children) {
    const schema = readDescription(item, SCHEMA, findings);
    const types = readTypes(schema.get('valueType'), findings);
    for (const property of readList(schema.get('property'), PROPERTY, findings)) {
      const type = textOf(property, 'valueType');
      findings.expect(types.has(type), 'extensions', UNKNOWN_TYPE);
      findings.expect(CATEGORIES.has(textOf(property, 'category')), 'extensions', MALFORMED);
      const name = `${textOf(schema, 'namespaceURI')} ${textOf(property, 'name')}`;
      if (!declared.has(name) && types.has(type)) declared.set(name, { type, types });
    }
  }
  return declared;
}

const CATEGORIES = new Set(['internal', 'external']);
const UNKNOWN_TYPE = 'an extension schema in the metadata has a value type that is not defined';

/** Reads the structured value types of a schema. Types without fields are not usable. */
function readTypes(list: XmpNode | undefined, findings: Findings): ValueTypes {
  const structures = new Map<string, StructureType>(predefinedSchemas(findings.rules).structures);
  const fieldTypes: string[] = [];
  for (const type of readList(list, TYPE, findings)) {
    const fields = new Map(
      readList(type.get('field'), FIELD, findings).map((field) => [
        textOf(field, 'name'),
        textOf(field, 'valueType'),
      ]),
    );
    fieldTypes.push(...fields.values());
    if (fields.size > 0)
      structures.set(textOf(type, 'type').trim().toLowerCase(), {
        namespace: textOf(type, 'namespaceURI'),
        fields,
      });
  }
  const types = new ValueTypes(findings.rules, structures);
  findings.expect(
    fieldTypes.every((type) => types.has(type)),
    'extensions',
    UNKNOWN_TYPE,
  );
  return types;
}

type Fields = ReadonlyMap<string, XmpNode>;

/** Reads a list of descriptions, and returns the fields of each by name. */
function readList(list: XmpNode | undefined, description: Description, findings: Findings): Fields[] {
  if (!list) return [];
  findings.expect(list.form === 'Seq', 'extensions', MALFORMED);
  return list.children.map((item) => readDescription(item, description, findings));
}

function readDescription(item: XmpNode, description: Description, findings: Findings): Fields {
  const { namespace, prefix, texts, lists } = description;
  const fields = new Map<string, XmpNode>();
  for (const field of item.children) {
    const [uri, local = ''] = field.name.split(' ');
    const isKnown = uri === namespace && (texts.includes(local) || lists.includes(local));
    findings.expect(isKnown && field.prefix === prefix, 'extensions', MALFORMED);
    if (isKnown) fields.set(local, field);
  }
  findings.expect(
    texts.every((name) => fields.get(name)?.form === 'text'),
    'extensions',
    MALFORMED,
  );
  return fields;
}

function textOf(fields: Fields, name: string): string {
  return fields.get(name)?.text ?? '';
}
