import { nameOf, referenceTo } from './schema.ts';

/** Names of the full document that many languages use for a type of their own, and the names for clients. */
const NAMES_FOR_CLIENTS: readonly (readonly [string, string])[] = [
  ['Error', 'ErrorResponse'],
  ['File', 'StoredFile'],
];

interface WithSchemas {
  components: { schemas: Readonly<Record<string, unknown>> };
}

/** Returns a copy of a document with names of schemas that clients of all languages can use. */
export function renamed<T extends WithSchemas>(document: T): T {
  const taken = document.components.schemas;
  const names = new Map(NAMES_FOR_CLIENTS.filter(([, name]) => !(name in taken)));
  const copy: T = JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const name = typeof value === 'string' ? names.get(nameOf(value) ?? '') : undefined;
    return name === undefined ? value : referenceTo(name).$ref;
  });
  const schemas = Object.entries(copy.components.schemas).map(([name, schema]) => [
    names.get(name) ?? name,
    schema,
  ]);
  return { ...copy, components: { ...copy.components, schemas: Object.fromEntries(schemas) } };
}
