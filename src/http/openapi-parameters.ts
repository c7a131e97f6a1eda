import type { TObject } from '@sinclair/typebox';
import type { Components } from './openapi-components.ts';

/** Describes the query parameters or the headers of a request, or the headers of a webhook message. */
export function describeParameters(
  location: 'query' | 'header',
  schema: TObject | undefined,
  components: Components,
  required = false,
) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    return { name, in: location, required, description, schema: components.convert(rest) };
  });
}
