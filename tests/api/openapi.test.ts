import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Receiver } from '../support/receiver.ts';
import { TestService, type Answer } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { until } from '../support/until.ts';

const receiver = new Receiver();
const service = sharedService({ env: { EGRESS_ALLOW: receiver.host } });

interface Operation {
  operationId: string;
  tags: string[];
  [field: string]: Answer['body'];
}

async function readDocument(from: TestService = service()): Promise<Answer['body']> {
  return (await from.get('/openapi.json', null)).body;
}

function operationsOf(paths: Record<string, Record<string, Operation>>): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Returns a function that compiles schemas of the document. Each named schema is compiled once. */
function compilerOf(document: Answer['body']): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  return (schema) => ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1.0', async () => {
    const document = await readDocument();
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(document);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('describes the ETags of page images, and the 304 responses to them', async () => {
    const { paths } = await readDocument();
    for (const path of ['/v1/generations/{id}/pages/{n}.png', '/v1/files/{id}/pages/{n}.png']) {
      const { parameters, responses } = paths[path].get;
      expect(parameters.map(({ name }: { name: string }) => name)).toContain('If-None-Match');
      expect(Object.keys(responses['200'].headers)).toEqual(['ETag']);
      expect(responses['304']).toMatchObject({ headers: { ETag: {} } });
      expect(responses['304'].content).toBeUndefined();
    }
  });

  test('names its schemas, and every reference leads to one', async () => {
    const document = await readDocument();
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining([
        'Batch',
        'Error',
        'FormField',
        'Generation',
        'GenerateRequest',
        'PdfInfo',
        'PrintOptions',
        'Template',
        'WebhookDelivery',
      ]),
    );
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(new Set(references.map(([, name]) => name))).toEqual(new Set(names));
    for (const operation of operationsOf(document.paths)) {
      const schemas = Object.values<Answer['body']>(operation['responses']).flatMap(
        ({ content }) => content?.['application/json']?.schema ?? [],
      );
      for (const schema of [...schemas, operation['requestBody']?.content['application/json'].schema ?? {}])
        expect(Object.keys(schema.items ?? schema).filter((key) => key !== '$ref')).toEqual([]);
    }
  });

  test('gives operations readable names, each used once', async () => {
    const document = await readDocument();
    const ids = [...operationsOf(document.paths), ...operationsOf(document.webhooks)].map(
      ({ operationId }) => operationId,
    );
    expect(ids.slice(0, 10)).toEqual([
      'generatePdf',
      'listGenerations',
      'getGeneration',
      'deleteGeneration',
      'drawGenerationPage',
      'getGenerationProof',
      'createImage',
      'previewTemplate',
      'createBatch',
      'getBatch',
    ]);
    expect(ids).toEqual(expect.arrayContaining(['createTemplate', 'mergePdfs', 'onBatchCompletedEvent']));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  test('orders tags by importance, each with a description and a guide that is served', async () => {
    const document = await readDocument();
    const tags: { name: string; description: string; externalDocs: { url: string } }[] = document.tags;
    expect(tags.map(({ name }) => name)).toEqual([
      'Generate',
      'Batches',
      'Templates',
      'Assets',
      'Starter templates',
      'Marketplace',
      'PDF operations',
      'Forms',
      'AI',
      'Integrations',
      'Files',
      'Webhooks',
      'Usage',
    ]);
    for (const { description, externalDocs } of tags) {
      expect(description).toMatch(/^[A-Z].+\.$/);
      const guide = await fetch(service().url + externalDocs.url);
      expect(guide.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await guide.text()).toContain('<h1 ');
    }
    const used = operationsOf(document.paths).flatMap((operation) => operation.tags);
    expect(new Set(used)).toEqual(new Set(tags.map(({ name }) => name)));
  });

  test('has examples that its own schemas accept', async () => {
    const document = await readDocument();
    const operations = [...operationsOf(document.paths), ...operationsOf(document.webhooks)];
    const media = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values<Answer['body']>(responses)].flatMap((part) =>
        part?.content?.['application/json'] ? [{ operationId, ...part.content['application/json'] }] : [],
      ),
    );
    const compile = compilerOf(document);
    let checked = 0;
    for (const { operationId, schema, example, examples = {} } of media) {
      const validate = compile(schema);
      const values = [example, ...Object.values<Answer['body']>(examples).map(({ value }) => value)];
      for (const value of values.filter((each) => each !== undefined)) {
        validate(value);
        expect([operationId, validate.errors]).toEqual([operationId, null]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(100);
  });

  test.each(['Error', 'CompareResult', 'ValidateResult'])('describes each field of %s', async (name) => {
    const { components } = await readDocument();
    const undescribed = (schema: Answer['body'], path: string): string[] => {
      if (schema.items?.properties) return undescribed(schema.items, `${path}[]`);
      if (!schema.properties) return schema.description ? [] : [path];
      return Object.entries(schema.properties).flatMap(([field, inner]) =>
        undescribed(inner, `${path}.${field}`),
      );
    };
    expect(undescribed(components.schemas[name], name)).toEqual([]);
  });

  test('explains how the error of a pipeline names the step', async () => {
    const { components, paths } = await readDocument();
    const { path } = components.schemas.Error.properties.error.properties.details.items.properties;
    expect(path.description).toContain('steps.2.opacity');
    expect(paths['/v1/pdf/pipeline'].post.responses['400'].content['application/json'].schema.$ref).toEndWith(
      '/Error',
    );
  });

  test('describes the webhook messages that are sent', async () => {
    const document = await readDocument();
    const webhook = receiver.url('/hook');
    await service().post('/v1/generate', { html: 'x', webhook });
    await service().post('/v1/generate/batch', { items: [{ html: 'x' }], webhook });
    await service().post('/v1/generate', {
      html: '<img src="http://127.0.0.1:9/none.png">',
      options: { strict: true },
      webhook,
    });
    await until(() => receiver.at('/hook').length === 3);
    const compile = compilerOf(document);
    const types = receiver.at('/hook').map(({ body, headers }): string => {
      const message = JSON.parse(body);
      const { requestBody, parameters } = document.webhooks[message.type].post;
      const validate = compile(requestBody.content['application/json'].schema);
      validate(message);
      expect([message.type, validate.errors]).toEqual([message.type, null]);
      for (const { name } of parameters) expect(headers[name]).toBeString();
      return message.type;
    });
    expect(types.toSorted()).toEqual(['batch.completed', 'generation.completed', 'generation.failed']);
    expect(Object.keys(document.webhooks).toSorted()).toEqual(types.toSorted());
  });

  test('names the public URL as its server', async () => {
    expect((await readDocument()).servers[0].url).toBe('/');
    await using other = await TestService.start({ env: { PUBLIC_URL: 'https://pdf.example.com/' } });
    const document = await readDocument(other);
    expect(document.servers[0].url).toBe('https://pdf.example.com');
    expect(document.tags[0].externalDocs.url).toBe('https://pdf.example.com/docs/guides/generate');
  });
});
