import type { TObject } from '@sinclair/typebox';
import type { SchemaComponents } from './schema-components.ts';

/** Describes the query parameters or the headers of a request, or the headers of a webhook message. */
export function describeParameters(
  place: 'query' | 'header',
  schema: TObject | undefined,
  components: SchemaComponents,
  required = false,
) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    return { name, in: place, required, description, schema: components.convert(rest) };
  });
}
