import { nameOf, referenceTo, withDescription, withNull, type Schema } from './schema.ts';
import { joinObjects, union } from './union.ts';
import { pascalCase, singular } from './words.ts';

/**
 * The keywords that generated clients misread: dialects of regular expressions differ, and a client that
 * sends the defaults of its time does not follow the service.
 */
const DROPPED: ReadonlySet<string> = new Set([
  'pattern',
  'default',
  'examples',
  'title',
  'unevaluatedProperties',
]);

/**
 * Writes the schemas of a document of OpenAPI 3.1 with the keywords of OpenAPI 3.0, and in the form that
 * client generators understand: every object has a name and its own list of properties, and a name stands for
 * an object, an enumeration, a map or a union. Only the schemas that are referred to are written.
 */
export class PlainSchemas {
  readonly #source: Readonly<Record<string, Schema>>;
  /** `undefined` while a schema is being written. */
  readonly #written = new Map<string, Schema | undefined>();
  /** The names of written schemas that also accept `null`, which is written beside each reference. */
  readonly #nullable = new Set<string>();

  constructor(source: Readonly<Record<string, Schema>>) {
    this.#source = source;
  }

  /** Returns the schemas that are written so far, by name. */
  components(): Record<string, Schema> {
    const entries = [...this.#written].flatMap(([name, schema]) => (schema ? [[name, schema] as const] : []));
    return Object.fromEntries(entries);
  }

  /**
   * Writes a schema. An object in it gets a name that begins with `name`.
   * @throws {Error} if the schema has no plain form, or two objects would have the same name
   */
  write(schema: Schema, name: string): Schema {
    if (schema.$ref !== undefined)
      return withDescription(this.#refer(nameOf(schema.$ref)), schema.description);
    const plain = this.#writeKeywords(schema, name);
    if (!plain.properties) return plain;
    const { nullable, description, ...definition } = plain;
    this.#define(name, definition);
    const reference = withDescription(referenceTo(name), description);
    return nullable ? withNull(reference) : reference;
  }

  /** Returns a reference to a named schema, or the schema itself if it is a simple type. */
  #refer(name: string): Schema {
    const reference = referenceTo(name);
    if (this.#written.has(name)) return this.#nullable.has(name) ? withNull(reference) : reference;
    const source = this.#source[name];
    if (!source) throw new Error(`there is no schema ${name}`);
    // Reserves the place of the name, and ends recursion.
    this.#written.set(name, undefined);
    const { nullable, ...schema } = this.#writeKeywords(source, name);
    const isNamed =
      schema.properties ?? schema.enum ?? schema.anyOf ?? schema.oneOf ?? schema.additionalProperties;
    if (isNamed === undefined) {
      this.#written.delete(name);
      return nullable ? { ...schema, nullable } : schema;
    }
    const values = schema.enum?.filter((value) => value !== null);
    this.#written.set(name, { ...schema, ...(values && { enum: values }) });
    if (!nullable) return reference;
    this.#nullable.add(name);
    return withNull(reference);
  }

  #define(name: string, schema: Schema): void {
    const known = this.#written.get(name) ?? this.#source[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas would have the name ${name}: give one a title`);
    this.#written.set(name, schema);
  }

  #writeKeywords(schema: Schema, name: string): Schema {
    const { allOf, anyOf, type, ...others } = schema;
    if (allOf) return this.#writeKeywords(this.#merge(schema), name);
    if (anyOf) return this.#writeUnion(anyOf, others, name);
    if (typeof type === 'object') {
      const [only, ...more] = type.filter((each) => each !== 'null');
      // A list of several types is one value in several notations, of which text has all: a decimal.
      const plain = this.#writeKeywords(
        { type: more.length > 0 ? 'string' : (only ?? 'object'), ...others },
        name,
      );
      return type.includes('null') ? withNull(plain) : plain;
    }
    const plain: Schema = {};
    for (const [keyword, value] of Object.entries({ ...(type !== undefined && { type }), ...others }))
      if (!DROPPED.has(keyword)) Object.assign(plain, this.#writeKeyword(keyword, value, name));
    return plain;
  }

  #writeKeyword(keyword: string, value: unknown, name: string): Schema {
    switch (keyword) {
      case 'const':
        return { enum: [value] };
      case 'items':
        return { items: this.write(value as Schema, singular(name)) };
      case 'additionalProperties':
        return { additionalProperties: this.#writeValues(value as boolean | Schema, name) };
      case 'properties':
        return { properties: this.#writeProperties(value as Record<string, Schema>, name) };
      default:
        return { [keyword]: value };
    }
  }

  /** Writes the schema of the values of a map. */
  #writeValues(schema: boolean | Schema, name: string): boolean | Schema {
    if (typeof schema === 'boolean') return schema;
    return Object.keys(schema).length === 0 || this.write(schema, `${name}Value`);
  }

  #writeProperties(properties: Readonly<Record<string, Schema>>, name: string): Record<string, Schema> {
    return Object.fromEntries(
      Object.entries(properties).flatMap(([key, property]) =>
        // `not: {}` accepts no value.
        property.not ? [] : [[key, this.write(property, name + pascalCase(key))] as const],
      ),
    );
  }

  #writeUnion(members: readonly Schema[], { discriminator, ...others }: Schema, name: string): Schema {
    const values = members.filter(({ type }) => type !== 'null');
    const plain = discriminator
      ? { ...others, oneOf: values.map((member) => this.write(member, name)), discriminator }
      : this.#writeMembers(values, others, name);
    return values.length === members.length ? plain : withNull(plain);
  }

  #writeMembers(members: readonly Schema[], keywords: Schema, name: string): Schema {
    const [only] = members;
    if (only && members.length === 1) return this.write({ ...only, ...keywords }, name);
    const plain = this.#writeKeywords(keywords, name);
    const objects = members.flatMap((member) => {
      const object = this.#findObject(member);
      return object ? [this.#writeKeywords(object, member.$ref ? nameOf(member.$ref) : name)] : [];
    });
    if (objects.length === members.length) return { ...plain, ...joinObjects(objects) };
    return union(
      members.map((member) => this.write(member, `${name}Object`)),
      plain,
    );
  }

  /** Merges the members of `allOf`, which are objects, into one object. */
  #merge({ allOf = [], unevaluatedProperties, ...keywords }: Schema): Schema {
    const parts = allOf.map((member) => {
      const object = this.#findObject(member);
      if (!object) throw new Error(`${JSON.stringify(member)} in allOf is not an object`);
      return object;
    });
    const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
    return {
      ...keywords,
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.assign({}, ...parts.map((part) => part.properties)),
      ...(unevaluatedProperties === false && { additionalProperties: false }),
    };
  }

  /** Returns an object with its own list of properties, or `undefined` for another type. */
  #findObject(schema: Schema): Schema | undefined {
    const target = schema.$ref === undefined ? schema : this.#source[nameOf(schema.$ref)];
    const object = target?.allOf ? this.#merge(target) : target;
    return object?.properties && object;
  }
}
