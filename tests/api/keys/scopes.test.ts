import { describe, expect, test } from 'bun:test';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../src/accounts/scopes.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';

const service = sharedService();

interface Operation {
  method: string;
  path: string;
  scope: Scope | undefined;
  isPublic: boolean;
  example: unknown;
}

/** Returns all operations of the OpenAPI document. */
async function operations(): Promise<Operation[]> {
  const { body: document } = await service().get('/openapi.json', null);
  return Object.entries<Record<string, ApiResponse['body']>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scope: operation['x-platen-scope'],
      isPublic: operation.security?.length === 0,
      example: Object.values<ApiResponse['body']>(
        operation.requestBody?.content['application/json']?.examples ?? {},
      )[0]?.value,
    })),
  );
}

describe('every route of the OpenAPI document', () => {
  test('names its scope, or is public', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(70);
    for (const { scope, isPublic, path } of all)
      expect({ path, isValid: isPublic ? scope === undefined : SCOPES.includes(scope as Scope) }).toEqual({
        path,
        isValid: true,
      });
  });

  test('refuses a key without its scope, and accepts a key with no other', async () => {
    const keysWith = new Map<Scope, string>();
    const keysWithout = new Map<Scope, string>();
    for (const scope of SCOPES) {
      keysWith.set(scope, await service().newKeyOfAccount({ scopes: [scope] }));
      keysWithout.set(
        scope,
        await service().newKeyOfAccount({ scopes: SCOPES.filter((other) => other !== scope) }),
      );
    }
    for (const { method, path, scope } of await operations()) {
      if (!scope) continue;
      const target = path.replaceAll(/\{\w+\}/g, 'none');
      // Valid for no route that takes a body, so that the accepted requests have no effect.
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '[' };
      const refused = await service().request(method, target, { ...body, key: keysWithout.get(scope) ?? '' });
      expect({ path, status: refused.status }).toEqual({ path, status: 403 });
      // The errors of routes for the clients of other APIs are text.
      if (refused.headers.get('content-type')?.startsWith('text/plain') !== true)
        expect({ path, error: refused.body.error }).toMatchObject({
          path,
          error: {
            code: 'FORBIDDEN',
            message: `the API key lacks the scope "${scope}"`,
            details: [{ path: '', code: 'MISSING_SCOPE' }],
          },
        });
      const accepted = await service().request(method, target, { ...body, key: keysWith.get(scope) ?? '' });
      expect({ path, isRefused: [401, 403].includes(accepted.status) }).toEqual({ path, isRefused: false });
    }
  }, 60_000);

  test('shows the records of an account to no other account', async () => {
    const own = await service().forNewAccount();
    const file = (await own.post('/v1/files', { file: Buffer.from(pagesPdf(1)).toString('base64') })).body.id;
    const template = (await own.post('/v1/templates', { name: 'T', html_content: '<p>x</p>' })).body.id;
    const generation = (await own.post('/v1/generate', { html: '<p>x</p>' })).body.id;
    const batch = (await own.post('/v1/generate/batch', { items: [{ html: '<p>x</p>' }] })).body.batch_id;
    const logo = { file: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') };
    expect((await own.post('/v1/assets', { name: 'own-logo.svg', ...logo })).status).toBe(201);
    const manager = await own.newKeyOfAccount({ scopes: SCOPES });
    const key = (await own.get('/v1/keys', manager)).body.data[0].id;
    const ids: Readonly<Record<string, string>> = {
      '/v1/files/': file,
      '/v1/templates/': template,
      '/v1/marketplace/': template,
      '/v1/generations/': generation,
      '/v1/batches/': batch,
      '/v1/assets/': 'own-logo.svg',
      '/v1/keys/': key,
    };
    expect(Object.values(ids).every((id) => typeof id === 'string')).toBe(true);
    const stranger = await service().forNewAccount();
    const other = await stranger.newKeyOfAccount({ scopes: SCOPES });
    const tried: string[] = [];
    for (const { method, path, isPublic, example } of await operations()) {
      const id = Object.entries(ids).find(([start]) => path.startsWith(`${start}{`))?.[1];
      if (isPublic || id === undefined) continue;
      const target = path.replace(/\{\w+\}/, id).replaceAll(/\{\w+\}/g, '1');
      const answer = await service().request(method, target, {
        key: other,
        ...(example !== undefined && { body: example }),
      });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
      tried.push(path);
    }
    expect(tried.length).toBeGreaterThanOrEqual(20);
  }, 60_000);
});

describe('a key with allowed_ips', () => {
  test('is refused elsewhere, whatever X-Forwarded-For says without a trusted proxy', async () => {
    const key = await service().newKeyOfAccount({ allowedIps: ['203.0.113.0/24'] });
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    expect((await service().request('GET', '/v1/files', { key, headers })).status).toBe(403);
    const local = await service().newKeyOfAccount({ allowedIps: ['127.0.0.0/8'] });
    expect((await service().request('GET', '/v1/files', { key: local, headers })).status).toBe(200);
  });
});

describe('a route of the studio', () => {
  test('refuses an API key, whatever its scopes are', async () => {
    const key = await service().newKeyOfAccount({ scopes: SCOPES });
    const { status, body } = await service().get('/studio/api/keys', key);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a pipeline', () => {
  const body = { generate: { html: '<p>x</p>' }, steps: [{ do: 'stamp', text: 'x', position: 'center' }] };

  test('needs the scope generate if it generates', async () => {
    const key = await service().newKeyOfAccount({ scopes: ['pdf'] });
    const refused = await service().post('/v1/pdf/pipeline', body, key);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'the API key lacks the scope "generate"',
    ]);
    const both = await service().newKeyOfAccount({ scopes: ['pdf', 'generate'] });
    expect((await service().post('/v1/pdf/pipeline', body, both)).status).toBe(200);
  });

  test('is not repeated to a key that may not send it', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    expect((await service().request('POST', '/v1/pdf/pipeline', { body, headers })).status).toBe(200);
    const key = await service().newKeyOfAccount({ scopes: ['pdf'] });
    const refused = await service().request('POST', '/v1/pdf/pipeline', { body, headers, key });
    expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([403, null]);
  });
});

describe('GET /files/:id with a key', () => {
  test('needs the scope files', async () => {
    const file = (await service().post('/v1/files', { file: Buffer.from(pagesPdf(1)).toString('base64') }))
      .body.id;
    const read = async (scopes: readonly Scope[]) => {
      const key = await service().newKeyOfAccount({ scopes });
      return (await service().get(`/files/${file}`, key)).status;
    };
    expect(await read(['files'])).toBe(200);
    expect(await read(SCOPES.filter((scope) => scope !== 'files'))).toBe(403);
  });
});

test('a key of an earlier release has all scopes except keys and audit', () => {
  expect(SCOPES.filter((scope) => !DEFAULT_SCOPES.includes(scope))).toEqual(['keys', 'audit']);
});
