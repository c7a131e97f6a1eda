import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { SCOPES } from '../../../src/accounts/scopes.ts';
import { sharedService } from '../../support/service/shared-service.ts';

// A route whose part of the service is not configured responds before it reads the body.
const tools = { protect: true, tsaUrl: 'http://127.0.0.1:9/' };
const service = sharedService({ config: { plugins: { 'pdf-tools': tools } } });

interface Operation {
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
  /** Set for routes whose errors are not JSON. */
  'x-platen-protocol'?: string;
}

/** Lists the operations of the API that take a body. */
async function operationsWithBodies(): Promise<[method: string, path: string, operation: Operation][]> {
  const { body } = await service().get('/openapi.json', null);
  const paths: Record<string, Record<string, Operation>> = body.paths;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method, operation]) => [method.toUpperCase(), path, operation] as [string, string, Operation]),
  );
}

test('a compressed body gets 415 from every route that takes a body, and the document says so', async () => {
  const operations = await operationsWithBodies();
  expect(operations.length).toBeGreaterThan(30);
  const key = await service().newKeyOfAccount({ scopes: SCOPES });
  for (const [method, path, { requestBody, responses, ...operation }] of operations) {
    expect([method, path, '415' in responses]).toEqual([method, path, true]);
    const [mediaType = ''] = Object.keys(requestBody?.content ?? {});
    const { status, headers, body } = await service().request(method, path.replaceAll(/\{\w+\}/g, 'x'), {
      body: gzipSync('{}'),
      key,
      headers: { 'content-type': mediaType, 'content-encoding': 'gzip' },
    });
    expect([method, path, status]).toEqual([method, path, 415]);
    expect(headers.get('accept-encoding')).toBe('identity');
    if ('x-platen-protocol' in operation) continue;
    expect(body.error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(body.error.message).toContain('Content-Encoding');
  }
}, 60_000);

test.each(['gzip', 'BR', 'zstd', 'deflate', 'x-unknown', 'identity, gzip', 'gzip, gzip'])(
  'the coding %s is rejected',
  async (coding) => {
    const { status } = await service().request('POST', '/v1/templates', {
      body: {},
      headers: { 'content-encoding': coding },
    });
    expect(status).toBe(415);
  },
);

test.each(['identity', 'Identity', 'identity, identity', ''])(
  'the coding "%s" is accepted',
  async (coding) => {
    const { status, body } = await service().request('POST', '/v1/templates', {
      body: { name: 7, html_content: 'x' },
      headers: { 'content-encoding': coding },
    });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('name');
  },
);
