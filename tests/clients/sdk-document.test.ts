import { expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { follow, objectsOf } from '../support/openapi.ts';
import { TestService, type ApiResponse } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

type Json = ApiResponse['body'];

const service = sharedService();

async function readDocument(from: TestService = service()): Promise<Json> {
  return (await from.get('/openapi.sdk.json', null)).body;
}

function operationsOf(document: Json): Json[] {
  return Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
}

/** Returns the content of each request and response, with a name for failures. */
function contentsOf(document: Json): { name: string; content: Json }[] {
  const { components } = document;
  const bodies = operationsOf(document).flatMap(({ operationId, requestBody, responses }) => [
    { name: operationId, content: requestBody?.content },
    ...Object.entries<Json>(responses).map(([status, { content }]) => ({
      name: `${operationId} ${status}`,
      content,
    })),
  ]);
  const shared = Object.entries<Json>(components.responses).map(([name, { content }]) => ({ name, content }));
  return [...bodies, ...shared].filter(({ content }) => content !== undefined);
}

test('is valid OpenAPI 3.0.3 with the operations of /openapi.json', async () => {
  const document = await readDocument();
  expect(document.openapi).toBe('3.0.3');
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);

  const full = (await service().get('/openapi.json', null)).body;
  // The routes of other APIs have clients of their own.
  const idsOf = (each: Json) =>
    operationsOf(each)
      .filter((operation) => !('x-platen-protocol' in operation))
      .map(({ operationId }) => operationId);
  expect(idsOf(document)).toEqual(idsOf(full));
  expect(document.info.version).toBe(full.info.version);
});

test('every body has one content type: JSON, or a form or bytes if the operation has no JSON', async () => {
  const document = await readDocument();
  const contents = contentsOf(document);
  expect(contents.length).toBeGreaterThan(120);
  for (const { name, content } of contents)
    expect([name, Object.keys(content)]).toEqual([name, [expect.any(String)]]);
  const bytes = contents.filter(({ content }) => !content['application/json']);
  expect(bytes.map(({ name, content }) => [name, ...Object.keys(content)])).toEqual([
    ['drawGenerationPage 200', 'application/octet-stream'],
    ['createBulkBatch', 'multipart/form-data'],
    ['drawCasePage 200', 'application/octet-stream'],
    ['downloadFile 200', 'application/octet-stream'],
    ['drawFilePage 200', 'application/octet-stream'],
    ['exportAuditLog 200', 'application/octet-stream'],
  ]);
  // A value that returns bytes would contradict the response.
  const outputs = [...objectsOf(document)].flatMap(({ value }) => value.properties?.output ?? []);
  expect(outputs.length).toBeGreaterThan(20);
  const allowed = outputs.flatMap((output) => output.enum ?? document.components.schemas.Output.enum);
  expect(new Set(allowed)).toEqual(new Set(['url', 'base64']));
  expect(document.components.schemas.PreviewRequest.required).toEqual(['output']);
});

test('every object has a name, and every body refers to one', async () => {
  const document = await readDocument();
  const { schemas } = document.components;
  const unnamed = [...objectsOf(document)].filter(
    ({ path, value }) =>
      typeof value.properties === 'object' &&
      value.type === 'object' &&
      !/^\/components\/schemas\/\w+$/.test(path),
  );
  expect(unnamed.map(({ path }) => path)).toEqual([]);
  for (const name of Object.keys(schemas)) expect(name).toMatch(/^([A-Z][a-z0-9]*)+$/);
  for (const { name, content } of contentsOf(document)) {
    const schema = content['application/json']?.schema;
    if (schema) expect([name, Object.keys(schema.items ?? schema)]).toEqual([name, ['$ref']]);
  }
  const references = [...objectsOf(document)].flatMap(({ value }) => value.$ref ?? []);
  const { schemas: _, responses } = document.components;
  const defined = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ];
  const steps = Object.values(schemas.PipelineStep.discriminator.mapping);
  expect(new Set([...references, ...steps])).toEqual(new Set(defined));
});

test('schemas are plain: no keyword has a meaning that generators do not know', async () => {
  const document = await readDocument();
  const schemas = [...objectsOf({ components: { schemas: document.components.schemas } })].filter(
    ({ path }) => !/\/(?:properties|schemas|mapping)$/.test(path),
  );
  expect(schemas.length).toBeGreaterThan(1_000);
  for (const { path, value } of schemas) {
    const strange = [
      'const',
      'default',
      'examples',
      'not',
      'pattern',
      'patternProperties',
      'unevaluatedProperties',
    ];
    expect([path, strange.filter((keyword) => keyword in value)]).toEqual([path, []]);
    expect([path, typeof (value.type ?? '')]).toEqual([path, 'string']);
    if (value.$ref) expect([path, Object.keys(value)]).toEqual([path, ['$ref']]);
    // Only adds a description or null to a reference.
    if (value.allOf) expect([path, value.allOf]).toEqual([path, [{ $ref: expect.any(String) }]]);
  }
  const unions = schemas
    .filter(({ value }) => value.anyOf ?? value.oneOf)
    .map(({ path }) => path.split('/').slice(3));
  // A new union needs a reason: callers of some languages write it without the help of types.
  expect(unions.map((path) => path.join('/')).toSorted()).toEqual([
    'FieldDefinition/properties/defaultValue',
    'FieldValue/properties/value',
    'FormField/properties/value',
    'MarginLength',
    'MarkPosition',
    'MarkRotation',
    'PipelineStep',
    'PrintOptions/properties/accessible',
    'PrintOptions/properties/format',
    'PrintOptions/properties/margin',
    'PrintOptions/properties/pdfa',
    'VersionChoice',
  ]);
});

test('parameters are texts, numbers, booleans and lists of words, and their descriptions have the defaults', async () => {
  const document = await readDocument();
  const parameters: Json[] = operationsOf(document).flatMap((operation) => operation.parameters);
  expect(parameters.length).toBeGreaterThan(150);
  for (const { name, schema } of parameters) {
    const { type, enum: words } = schema.$ref ? follow(document, schema) : schema;
    expect([name, type, schema.default]).toEqual([name, words ? 'string' : expect.any(String), undefined]);
  }
  const describe = (id: string, name: string) =>
    operationsOf(document)
      .find(({ operationId }) => operationId === id)
      .parameters.find((each: Json) => each.name === name).description;
  expect(describe('listGenerations', 'limit')).toEndWith('The default is 50.');
  expect(describe('exportAuditLog', 'format')).toEndWith('The default is "csv".');
  const names = new Set(parameters.map(({ name }) => name));
  expect(names.has('Idempotency-Key')).toBe(true);
  // Clients set these for all requests.
  expect([names.has('X-Request-Id'), names.has('traceparent')]).toEqual([false, false]);
});

test('decimals are strings', async () => {
  const { schemas } = (await readDocument()).components;
  const { properties } = schemas.InvoiceDataInvoiceLegalMonetaryTotal;
  expect(properties['cbc:PayableAmount'].type).toBe('string');
  const amounts = [...objectsOf(schemas)]
    .flatMap(({ value }) => Object.entries<Json>(value))
    .filter(([name, value]) => /^cbc:.*(?:Amount|Percent|Quantity|Numeric)$/.test(name) && value.type);
  expect(amounts.length).toBeGreaterThan(20);
  expect(new Set(amounts.map(([, { type }]) => type))).toEqual(new Set(['string']));
});

test('each webhook message has a named schema', async () => {
  const document = await readDocument();
  const messages = Object.entries<Json>(document['x-webhooks']);
  const full = (await service().get('/openapi.json', null)).body;
  expect(messages.map(([type]) => type)).toEqual(Object.keys(full.webhooks));
  for (const [type, { post }] of messages) {
    const { $ref } = post.requestBody.content['application/json'].schema;
    expect($ref).toMatch(/^#\/components\/schemas\/\w+Event$/);
    const schema = document.components.schemas[$ref.split('/').at(-1)];
    expect(schema.properties.type.enum).toEqual([type]);
  }
});

test('the server and the guides have absolute URLs, and the guides are served', async () => {
  const document = await readDocument();
  expect(document.servers).toEqual([{ url: service().url }]);
  const urls: string[] = document.tags.map((tag: Json) => tag.externalDocs.url);
  expect(urls.length).toBeGreaterThan(10);
  for (const url of urls) {
    expect(url).toStartWith(`${service().url}/docs/guides/`);
    expect((await fetch(url)).status).toBe(200);
  }
  await using other = await TestService.start({ env: { PUBLIC_URL: 'https://pdf.example.com/' } });
  const { servers, tags } = await readDocument(other);
  expect(servers).toEqual([{ url: 'https://pdf.example.com' }]);
  expect(tags[0].externalDocs.url).toBe('https://pdf.example.com/docs/guides/generate');
});
