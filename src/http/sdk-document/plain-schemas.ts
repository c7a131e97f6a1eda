import { isAny, nameOf, referenceTo, withDescription, withNull, type Schema } from './schema.ts';
import { joinObjects, union } from './union.ts';
import { pascalCase, singular } from './words.ts';

/**
 * The keywords that generated clients misread: dialects of regular expressions differ, and a client that
 * sends the defaults it was generated with ignores later changes of the service.
 */
const DROPPED: ReadonlySet<string> = new Set([
  '$id',
  'pattern',
  'default',
  'examples',
  'title',
  'unevaluatedProperties',
]);

/** The keywords that OpenAPI 3.0 lacks and without which a schema would mean something else. */
const WITHOUT_PLAIN_FORM: readonly string[] = ['not', 'patternProperties', 'prefixItems'];

/**
 * Writes the schemas of a document of OpenAPI 3.1 with the keywords of OpenAPI 3.0, and in the form that
 * client generators understand: every object has a name and its own list of properties, and a name stands for
 * an object, an enumeration, a map or a union. Only the schemas that are referred to are written. A schema
 * without a plain form becomes `{}`, which accepts any value.
 */
export class PlainSchemas {
  readonly #source: Readonly<Record<string, Schema>>;
  /** The names of the schemas that responses contain, so that clients must read each of their values. */
  readonly #returned: ReadonlySet<string>;
  /** `undefined` while a schema is being written. */
  readonly #written = new Map<string, Schema | undefined>();
  /** The names of written schemas that also accept `null`, which is written beside each reference. */
  readonly #nullable = new Set<string>();
  /** Tells whether responses contain the schema that is being written. */
  #isReturned = false;

  constructor(source: Readonly<Record<string, Schema>>, returned: ReadonlySet<string>) {
    this.#source = source;
    this.#returned = returned;
  }

  /** Returns the schemas that are written so far, by name. */
  components(): Record<string, Schema> {
    const entries = [...this.#written].flatMap(([name, schema]) => (schema ? [[name, schema] as const] : []));
    return Object.fromEntries(entries);
  }

  /** Writes a schema of a request. An object in it gets a name that begins with `name`. */
  write(schema: Schema, name: string): Schema {
    return this.#within(false, () => this.#write(schema, name));
  }

  /** Writes a schema of a response. An object in it gets a name that begins with `name`. */
  writeReturned(schema: Schema, name: string): Schema {
    return this.#within(true, () => this.#write(schema, name));
  }

  #within(isReturned: boolean, write: () => Schema): Schema {
    const outer = this.#isReturned;
    this.#isReturned = isReturned;
    const written = write();
    this.#isReturned = outer;
    return written;
  }

  #write(schema: Schema, name: string): Schema {
    if (schema.$ref !== undefined) return withDescription(this.#refer(schema.$ref), schema.description);
    const plain = this.#writeKeywords(schema, name);
    if (!plain.properties) return plain;
    const { nullable, description, ...definition } = plain;
    const reference = withDescription(referenceTo(this.#define(name, definition)), description);
    return nullable ? withNull(reference) : reference;
  }

  /** Returns a reference to a named schema, or the schema itself if it is a simple type. */
  #refer(to: string): Schema {
    const name = nameOf(to);
    const source = name === undefined ? undefined : this.#source[name];
    if (name === undefined || !source) return {};
    const reference = referenceTo(name);
    if (this.#written.has(name)) return this.#nullable.has(name) ? withNull(reference) : reference;
    // Reserves the place of the name, and ends recursion.
    this.#written.set(name, undefined);
    const { nullable, ...schema } = this.#within(this.#returned.has(name), () =>
      this.#writeKeywords(source, name),
    );
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

  /** Adds an object, and returns its name. A number follows the name if another schema has it. */
  #define(base: string, schema: Schema): string {
    const isTaken = (name: string) => {
      const known = this.#written.get(name) ?? this.#source[name];
      return known !== undefined && JSON.stringify(known) !== JSON.stringify(schema);
    };
    let name = base;
    for (let number = 2; isTaken(name); number++) name = base + number;
    this.#written.set(name, schema);
    return name;
  }

  #writeKeywords(schema: Schema, name: string): Schema {
    const { allOf, anyOf, type, ...others } = schema;
    const merged = allOf && this.#merge(schema);
    if (merged) return this.#writeKeywords(merged, name);
    if (allOf || Array.isArray(schema.items) || WITHOUT_PLAIN_FORM.some((keyword) => keyword in schema))
      return withDescription({}, schema.description);
    if (anyOf) return this.#writeUnion(anyOf, others, name);
    if (typeof type === 'object') {
      const [only, ...more] = type.filter((each) => each !== 'null');
      // Several types are notations of one value, such as a decimal. Text can express each of them.
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
        return { items: this.#write(value as Schema, singular(name)) };
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
    return Object.keys(schema).length === 0 || this.#write(schema, `${name}Value`);
  }

  #writeProperties(properties: Readonly<Record<string, Schema>>, name: string): Record<string, Schema> {
    return Object.fromEntries(
      Object.entries(properties).flatMap(([key, property]) =>
        // `not: {}` accepts no value.
        property.not && isAny(property.not)
          ? []
          : [[key, this.#write(property, name + pascalCase(key))] as const],
      ),
    );
  }

  #writeUnion(members: readonly Schema[], { discriminator, ...others }: Schema, name: string): Schema {
    const values = members.filter(({ type }) => type !== 'null');
    const plain = discriminator
      ? { ...others, oneOf: values.map((member) => this.#write(member, name)), discriminator }
      : this.#writeMembers(values, others, name);
    return values.length === members.length ? plain : withNull(plain);
  }

  #writeMembers(members: readonly Schema[], keywords: Schema, name: string): Schema {
    const [only] = members;
    if (only && members.length === 1) return this.#write({ ...only, ...keywords }, name);
    const plain = this.#writeKeywords(keywords, name);
    const objects = members.map((member) => this.#findObject(member));
    if (objects.every((object) => object !== undefined)) {
      const written = objects.map((object, index) =>
        this.#writeKeywords(object, nameOf(members[index]?.$ref ?? '') ?? name),
      );
      return { ...plain, ...joinObjects(written) };
    }
    const unnamed = members.filter((member) => member.properties);
    return union(
      members.map((member) => {
        const number = unnamed.length > 1 && member.properties ? unnamed.indexOf(member) + 1 : '';
        return this.#write(member, `${name}Object${number}`);
      }),
      plain,
      this.#isReturned,
    );
  }

  /** Merges the members of `allOf` into one object, or returns `undefined` if one is not an object. */
  #merge({ allOf = [], unevaluatedProperties, ...keywords }: Schema): Schema | undefined {
    const parts = allOf.map((member) => this.#findObject(member));
    if (!parts.every((part) => part !== undefined)) return undefined;
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
    const target = schema.$ref === undefined ? schema : this.#source[nameOf(schema.$ref) ?? ''];
    const object = target?.allOf ? this.#merge(target) : target;
    return object?.properties && object;
  }
}
