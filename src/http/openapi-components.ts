import type { TObject, TSchema } from '@sinclair/typebox';
import { findGroups } from './field-group.ts';

type JsonSchema = Record<string, unknown>;

/** A reference to a component. In OpenAPI 3.1, it can have a description of its own. */
export interface Reference extends JsonSchema {
  $ref: string;
  description?: unknown;
}

/** A schema with a name, and the references to it. Several schemas may have the name if they are equal. */
interface NamedSchema {
  definition: JsonSchema;
  /** The descriptions of the schemas that were converted, which are outside of the definition. */
  descriptions: Map<TSchema, unknown>;
  references: Reference[];
}

const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]*$/;
const ANY_KEY = '^(.*)$';

/** The components that the writers of the document name themselves. Schemas are named by their `title`. */
type Kind = 'responses' | 'parameters' | 'headers';

/**
 * Collects the components of an OpenAPI document. A schema whose `title` is a name in PascalCase, such as
 * `PrintOptions`, is written once under `components/schemas` and referenced everywhere else; generated
 * clients use the name for its type.
 */
export class Components {
  readonly #schemas = new Map<string, NamedSchema>();
  readonly #others = {
    responses: new Map<string, object>(),
    parameters: new Map<string, object>(),
    headers: new Map<string, object>(),
  };

  /**
   * Returns the collected components. If all references to a schema have a description, the most frequent one
   * moves into the schema.
   */
  write() {
    const schemas = [...this.#schemas].map(([name, { definition, references }]): [string, JsonSchema] => {
      const groups = Map.groupBy(references, ({ description }) => description);
      if (groups.has(undefined)) return [name, definition];
      const [[description, shared] = []] = groups
        .entries()
        .toArray()
        .toSorted(([, a], [, b]) => b.length - a.length);
      for (const reference of shared ?? []) delete reference.description;
      return [name, { description, ...definition }];
    });
    const { responses, parameters, headers } = this.#others;
    return {
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(responses),
      parameters: Object.fromEntries(parameters),
      headers: Object.fromEntries(headers),
    };
  }

  /**
   * Adds a component and returns a reference to it.
   * @throws {Error} when a different component of this kind has the name
   */
  refer(kind: Kind, name: string, component: object): Reference {
    const known = this.#others[kind];
    assertSame(known.get(name) ?? component, component, `${kind} have the name ${name}`);
    known.set(name, component);
    return referenceTo(kind, name);
  }

  /** Returns a reference to a component whose name tells its content. Makes it for the first reference. */
  referOnce(kind: Kind, name: string, make: () => object): Reference {
    const known = this.#others[kind];
    if (!known.has(name)) known.set(name, make());
    return referenceTo(kind, name);
  }

  /**
   * Converts a TypeBox schema to JSON Schema 2020-12, without the keywords that only the validator reads.
   * @throws {Error} when two different schemas have the same name
   */
  convert(schema: TSchema): JsonSchema {
    const { title } = schema;
    if (title === undefined || !COMPONENT_NAME.test(title)) return this.#convertKeywords(schema);
    const { references, descriptions } = this.#define(title, schema);
    const description = descriptions.get(schema);
    const reference = {
      $ref: `#/components/schemas/${title}`,
      ...(description !== undefined && { description }),
    };
    references.push(reference);
    return reference;
  }

  /** Returns the component with a name. Converts the schema unless this very object is known. */
  #define(name: string, schema: TSchema): NamedSchema {
    const known = this.#schemas.get(name);
    if (known?.descriptions.has(schema)) return known;
    const { title: _, description, ...definition } = this.#convertKeywords(schema);
    const named = known ?? { definition, descriptions: new Map(), references: [] };
    assertSame(named.definition, definition, `schemas have the title ${name}`);
    named.descriptions.set(schema, description);
    this.#schemas.set(name, named);
    return named;
  }

  #convertKeywords(schema: TSchema): JsonSchema {
    return this.#convertGroups(schema) ?? this.#convertOwnKeywords(schema);
  }

  /**
   * Converts an object that contains groups of fields to `allOf`, or returns `undefined`. The own fields are
   * the last member instead of siblings of `allOf`, which some client generators ignore.
   */
  #convertGroups(schema: TSchema): JsonSchema | undefined {
    const { type, properties, required, additionalProperties = true, ...keywords } = schema as TObject;
    if (type !== 'object' || !properties || typeof additionalProperties === 'object') return undefined;
    const { groups, others } = findGroups(schema as TObject);
    if (groups.length === 0) return undefined;
    const names = required?.filter((name) => name in others) ?? [];
    const own: object = { type, ...(names.length > 0 && { required: names }), properties: others };
    return {
      ...this.#convertOwnKeywords(keywords),
      allOf: [
        ...groups.map((group) => this.convert(group)),
        ...(Object.keys(others).length > 0 ? [this.#convertOwnKeywords(own as TSchema)] : []),
      ],
      // Unlike `additionalProperties`, it knows the fields of all members.
      ...(!additionalProperties && { unevaluatedProperties: false }),
    };
  }

  #convertOwnKeywords(schema: TSchema): JsonSchema {
    const { expected: _, title, ...keywords } = schema;
    const converted = simplify(
      Object.fromEntries(
        Object.entries(keywords).map(([keyword, value]) => [keyword, this.#convertKeyword(keyword, value)]),
      ),
    );
    return title === undefined ? converted : { title, ...converted };
  }

  #convertKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as Record<string, TSchema>).map(([name, schema]) => [
            name,
            this.convert(schema),
          ]),
        );
      case 'anyOf':
        return (value as TSchema[]).map((schema) => this.convert(schema));
      case 'items':
        return Array.isArray(value)
          ? value.map((schema: TSchema) => this.convert(schema))
          : this.convert(value as TSchema);
      case 'not':
        return this.convert(value as TSchema);
      default:
        return value;
    }
  }
}

function referenceTo(kind: Kind, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

function assertSame(known: object, added: object, subject: string): void {
  if (known !== added && JSON.stringify(known) !== JSON.stringify(added))
    throw new Error(`two different ${subject}`);
}

/** Replaces four forms that TypeBox writes with equivalents that client generators handle better. */
function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, patternProperties, ...rest } = schema;
  if (Array.isArray(schema['items'])) {
    const { items, additionalItems: _, ...keywords } = schema;
    return { ...keywords, prefixItems: items };
  }
  if (patternProperties !== undefined) {
    const { [ANY_KEY]: additionalProperties, ...patterns } = patternProperties as Record<string, unknown>;
    if (Object.keys(patterns).length === 0) return { ...rest, additionalProperties };
  }
  if (anyOf !== undefined) {
    const branches = anyOf as JsonSchema[];
    if (branches.every((branch) => branch['type'] === 'string' && 'const' in branch))
      return { type: 'string', enum: branches.map((branch) => branch['const']), ...rest };
    const [first = {}, second = {}] = branches;
    const isPlain = typeof first['type'] === 'string' && !('const' in first) && !('enum' in first);
    if (branches.length === 2 && isPlain && second['type'] === 'null')
      return { ...first, ...rest, type: [first['type'], 'null'] };
  }
  return schema;
}
