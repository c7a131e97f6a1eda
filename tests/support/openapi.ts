import type { ApiResponse } from './service/service.ts';

type Json = ApiResponse['body'];

/** Follows the `$ref` of a value of an OpenAPI document to its component. Other values are returned as they are. */
export function follow(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const [, ...path]: string[] = value.$ref.split('/');
  return follow(
    document,
    path.reduce((part: Json, name) => part[name], document),
  );
}

/** Returns the fields of an object schema, with those of the schemas that it combines with `allOf`. */
export function fieldsOf(document: Json, schema: Json): Record<string, Json> {
  const { properties, allOf = [] } = follow(document, schema) ?? {};
  return Object.assign({}, properties, ...allOf.map((part: Json) => fieldsOf(document, part)));
}

/** Returns every object of a value, itself included, with its path: `/components/schemas/Error`. */
export function* objectsOf(value: Json, path = ''): Generator<{ path: string; value: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { path, value };
  for (const [name, part] of Object.entries<Json>(value)) yield* objectsOf(part, `${path}/${name}`);
}
