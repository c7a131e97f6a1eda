import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { builtInPlugins } from '../../../plugins/index.ts';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { fieldsOf, follow, objectsOf } from '../../support/openapi.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';
import { writeJson } from '../../../scripts/write-json.ts';

const receiver = new Receiver(({ path }) => new Response(null, { status: path === '/gone' ? 410 : 204 }));
const service = extendedService();

interface Operation {
  operationId: string;
  tags: string[];
  [field: string]: ApiResponse['body'];
}

async function readDocument(from: TestService = service()): Promise<ApiResponse['body']> {
  return (await from.get('/openapi.json', null)).body;
}

function operationsOf(paths: Record<string, Record<string, Operation>>): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Returns a function that compiles schemas of the document. Each schema is compiled once. */
function compilerOf(document: ApiResponse['body']): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate;
  };
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1.0', async () => {
    const document = await readDocument();
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(document);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('describes the headers of all requests, and those of all responses', async () => {
    const document = await readDocument();
    const rates = [
      'RateLimit-Policy',
      'RateLimit',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ];
    const operations: [string, ApiResponse['body']][] = Object.entries<ApiResponse['body']>(
      document.paths,
    ).flatMap(([path, methods]) =>
      Object.entries<ApiResponse['body']>(methods).map(
        ([method, operation]): [string, ApiResponse['body']] => [`${method} ${path}`, operation],
      ),
    );
    expect(operations.length).toBeGreaterThan(80);
    for (const [name, { parameters, responses }] of operations) {
      const read = parameters.map((each: ApiResponse['body']) => follow(document, each).name);
      expect([name, read]).toEqual([name, expect.arrayContaining(['X-Request-Id', 'traceparent'])]);
      for (const [status, response] of Object.entries<ApiResponse['body']>(responses)) {
        const headers = Object.keys(follow(document, response).headers);
        const expected = expect.arrayContaining(['X-Request-Id', ...rates]);
        expect([name, status, headers]).toEqual([name, status, expected]);
      }
    }
    const answer = await service().get('/v1/usage');
    for (const header of ['X-Request-Id', ...rates]) expect(answer.headers.has(header)).toBe(true);
  });

  test('describes the ETags of page images, and the 304 responses to them', async () => {
    const document = await readDocument();
    const { paths } = document;
    const images = Object.keys(paths).filter((path) => path.endsWith('.png'));
    expect(images.length).toBeGreaterThanOrEqual(2);
    for (const path of images) {
      const { parameters, responses } = paths[path].get;
      const names = parameters.map((each: ApiResponse['body']) => follow(document, each).name);
      expect(names).toContain('If-None-Match');
      expect(Object.keys(responses['200'].headers)).toContain('ETag');
      const notModified = follow(document, responses['304']);
      expect(follow(document, notModified.headers.ETag).schema).toEqual({ type: 'string' });
      expect(notModified.content).toBeUndefined();
    }
  });

  test('names its schemas and other components, and every reference leads to one', async () => {
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
    const { securitySchemes: _, ...components } = document.components;
    const all = Object.entries<object>(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    for (const name of all) expect(name).toMatch(/^#\/components\/[a-z]+\/([A-Z][a-z0-9]*)+$/);
    const references = [...objectsOf(document)].flatMap(({ value }) => value.$ref ?? []);
    expect(new Set(references)).toEqual(new Set(all));
    for (const operation of operationsOf(document.paths)) {
      if ('x-platen-protocol' in operation) continue;
      const schemas = Object.values<ApiResponse['body']>(operation['responses']).flatMap(
        (response) => follow(document, response).content?.['application/json']?.schema ?? [],
      );
      for (const schema of [...schemas, operation['requestBody']?.content['application/json']?.schema ?? {}])
        expect(Object.keys(schema.items ?? schema).filter((key) => key !== '$ref')).toEqual([]);
    }
  });

  test('names every object with three or more fields that occurs twice', async () => {
    const document = await readDocument();
    const places = [...objectsOf({ ...document, components: document.components.schemas })].filter(
      ({ path, value }) =>
        Object.keys(value.properties ?? {}).length >= 3 && !/^\/components\/\w+$/.test(path),
    );
    const groups = Map.groupBy(places, ({ value }) => JSON.stringify({ ...value, description: undefined }));
    const repeated = [...groups.values()].filter(({ length }) => length > 1);
    expect(places.length).toBeGreaterThan(20);
    expect(repeated.map((group) => group.map(({ path }) => path))).toEqual([]);
  });

  test('is short, because nothing is repeated: a new operation adds about 150 lines', async () => {
    const text = writeJson(await readDocument());
    expect(text.split('\n').length).toBeLessThanOrEqual(18_700);
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
      'listBatches',
    ]);
    expect(ids).toEqual(expect.arrayContaining(['createTemplate', 'mergePdfs', 'onBatchCompletedEvent']));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  test('orders tags by importance, each with a description and a guide that is served', async () => {
    const document = await readDocument();
    const tags: { name: string; description: string; externalDocs: { url: string } }[] = document.tags;
    const titles = await Promise.all(
      Object.values(builtInPlugins).map(async (load) => {
        const { title, name } = ((await load()) as { default: { title?: string; name: string } }).default;
        return title ?? name;
      }),
    );
    const names = tags.map(({ name }) => name);
    expect(names[0]).toBe('Generate');
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(titles.filter((title) => names.includes(title)));
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
      [requestBody, ...Object.values<ApiResponse['body']>(responses)].flatMap((part) => {
        const json = follow(document, part)?.content?.['application/json'];
        return json ? [{ operationId, ...json }] : [];
      }),
    );
    const compile = compilerOf(document);
    let checked = 0;
    for (const { operationId, schema, example, examples = {} } of media) {
      const validate = compile(schema);
      const values = [example, ...Object.values<ApiResponse['body']>(examples).map(({ value }) => value)];
      for (const value of values.filter((each) => each !== undefined)) {
        validate(value);
        expect([operationId, validate.errors]).toEqual([operationId, null]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(100);
  });

  test('describes each field of requests, errors and reports', async () => {
    const document = await readDocument();
    const { schemas } = document.components;
    const undescribed = (schema: ApiResponse['body'], path: string): string[] => {
      if (schema.items?.properties) return undescribed(schema.items, `${path}[]`);
      if (!schema.properties && !schema.allOf) return schema.description || schema.$ref ? [] : [path];
      return Object.entries(fieldsOf(document, schema)).flatMap(([field, inner]) =>
        undescribed(inner, `${path}.${field}`),
      );
    };
    const names = Object.keys(schemas).filter((name) =>
      /Request$|^Error|^(?:Compare|Validate)Result$/.test(name),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(names.flatMap((name) => undescribed(schemas[name], name))).toEqual([]);
  });

  test('explains how the error of a pipeline names the step', async () => {
    const document = await readDocument();
    const { components, paths } = document;
    const { path } = components.schemas.ErrorDetail.properties;
    expect(path.description).toContain('steps.2.opacity');
    const invalid = follow(document, paths['/v1/pdf/pipeline'].post.responses['400']);
    expect(invalid.content['application/json'].schema.$ref).toEndWith('/Error');
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
    const endpoints = '/v1/webhook-endpoints';
    await service().post(endpoints, {
      url: webhook,
      events: ['file.created', 'template.*', 'webhook_endpoint.*'],
    });
    const gone = { url: receiver.url('/gone'), events: ['generation.failed'] };
    const { body: endpoint } = await service().post(endpoints, gone);
    await service().post(`${endpoints}/${endpoint.id}/test`, {});
    await service().post('/v1/files', { file: samplePdf });
    const { body: template } = await service().post('/v1/templates', { name: 'A', html_content: 'x' });
    await service().request('PUT', `/v1/templates/${template.id}`, { body: { name: 'B' } });
    // Four of five PDFs reach the first threshold of another account.
    const email = `${crypto.randomUUID()}@example.com`;
    const limited = await service().newKey('pro', email);
    await service().accounts.set(email, { monthlyLimit: 5 });
    await service().post(endpoints, { url: webhook, events: ['quota.threshold'] }, limited);
    const items = Array.from({ length: 4 }, () => ({ html: 'x' }));
    await service().post('/v1/generate/batch', { items }, limited);
    await until(() => receiver.at('/hook').length >= Object.keys(document.webhooks).length);
    const compile = compilerOf(document);
    const types = receiver.at('/hook').map(({ body, headers }): string => {
      const message = JSON.parse(body);
      const { requestBody, parameters } = document.webhooks[message.type].post;
      const validate = compile(requestBody.content['application/json'].schema);
      validate(message);
      expect([message.type, validate.errors]).toEqual([message.type, null]);
      for (const each of parameters) expect(headers[follow(document, each).name]).toBeString();
      return message.type;
    });
    // A new message needs a request above that causes it.
    expect(types.toSorted()).toEqual(Object.keys(document.webhooks).toSorted());
  });

  test('names the public URL as its server', async () => {
    expect((await readDocument()).servers[0].url).toBe('/');
    await using other = await TestService.start({ env: { PUBLIC_URL: 'https://pdf.example.com/' } });
    const document = await readDocument(other);
    expect(document.servers[0].url).toBe('https://pdf.example.com');
    expect(document.tags[0].externalDocs.url).toBe('https://pdf.example.com/docs/guides/generate');
  });
});
