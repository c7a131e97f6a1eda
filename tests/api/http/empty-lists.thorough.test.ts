import { expect, test } from 'bun:test';
import { follow } from '../../support/openapi.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

type Schema = ApiResponse['body'];

/** Follows a reference, and takes the first alternative that is not null. */
function resolve(schema: Schema, document: Schema): Schema {
  const followed = follow(document, schema);
  const alternative = followed?.anyOf?.find(({ type }: Schema) => type !== 'null');
  return alternative ? resolve(alternative, document) : followed;
}

/** An optional field whose value is a list or a map, such as `options.attachments`, and its empty value. */
interface Emptiable {
  path: readonly string[];
  empty: unknown;
}

function emptiable(schema: Schema, document: Schema, path: readonly string[] = []): Emptiable[] {
  const { properties = {}, required = [], allOf = [] } = resolve(schema, document) ?? {};
  const own = Object.entries<Schema>(properties).flatMap(([name, property]) => {
    const at = [...path, name];
    const { type, properties: fields } = resolve(property, document) ?? {};
    if (fields && path.length === 0) return emptiable(property, document, at);
    const isMap = type === 'object' && !fields;
    if (required.includes(name) || !(type === 'array' || isMap)) return [];
    return [{ path: at, empty: isMap ? {} : [] }];
  });
  return [...own, ...allOf.flatMap((part: Schema) => emptiable(part, document, path))];
}

/** Sets a field to an empty list or map, unless the example has the field. */
function withEmpty(example: Schema, path: readonly string[], value: unknown): Schema | undefined {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return name in example ? undefined : { ...example, [name]: value };
  const inner = name in example ? withEmpty(example[name], rest, value) : undefined;
  return inner && { ...example, [name]: inner };
}

test('an empty list or map in an optional field, as generated clients send it, changes nothing', async () => {
  const { body: document } = await service().get('/openapi.json', null);
  const account = await service().newKey();
  const refused = new Set<string>();
  let sent = 0;
  for (const [path, { post: operation }] of Object.entries<Record<string, Schema>>(document.paths)) {
    const content = operation?.requestBody?.content['application/json'];
    if (!content || path.includes('{')) continue;
    for (const { value: example } of Object.values<{ value: Schema }>(content.examples ?? {})) {
      const { status } = await service().post(path, example, account);
      if (status >= 400) continue;
      for (const { path: field, empty } of emptiable(content.schema, document)) {
        const body = withEmpty(example, field, empty);
        if (!body) continue;
        sent += 1;
        const answer = await service().post(path, body, account);
        if (answer.status !== status)
          refused.add(`${path} ${field.join('.')}: ${answer.body?.error?.message}`);
      }
    }
  }
  expect(sent).toBeGreaterThanOrEqual(60);
  expect([...refused]).toEqual([]);
}, 300_000);
