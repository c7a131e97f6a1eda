import type { TSchema } from '@sinclair/typebox';

type JsonSchema = Record<string, unknown>;

const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]*$/;
const ANY_KEY = '^(.*)$';

/**
 * Collects the named schemas of an OpenAPI document. A schema whose `title` is a name in PascalCase, such as `PrintOptions`, is written once
 * under `components/schemas` and referenced everywhere else; generated clients use the name for its type.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  /** The named schemas, by name. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries(this.#schemas);
  }

  /**
   * Converts a TypeBox schema to JSON Schema 2020-12, without the keywords that only the validator reads.
   * @throws {Error} when two different schemas have the same name
   */
  convert(schema: TSchema): JsonSchema {
    const { title, expected: _, ...keywords } = schema;
    const converted = simplify(
      Object.fromEntries(
        Object.entries(keywords).map(([keyword, value]) => [keyword, this.#convertKeyword(keyword, value)]),
      ),
    );
    if (title === undefined) return converted;
    if (!COMPONENT_NAME.test(title)) return { title, ...converted };
    const existing = this.#schemas.get(title);
    if (existing && JSON.stringify(existing) !== JSON.stringify(converted))
      throw new Error(`two different schemas have the title ${title}`);
    this.#schemas.set(title, converted);
    return { $ref: `#/components/schemas/${title}` };
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
      case 'not':
        return this.convert(value as TSchema);
      default:
        return value;
    }
  }
}

/** Replaces three forms that TypeBox writes with equivalents that client generators handle better. */
function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, patternProperties, ...rest } = schema;
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
