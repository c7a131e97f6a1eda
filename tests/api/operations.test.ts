import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';
import { onServers, TestService, type Answer } from '../support/service.ts';

const service = sharedService();

describe('operations', () => {
  test('healthz returns ok, and readyz lists each part', async () => {
    expect((await service().get('/healthz', null)).body).toEqual({ status: 'ok' });
    const { status, body } = await service().get('/readyz', null);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ready',
      parts: {
        store: 'ok',
        files: 'ok',
        // Data on servers needs no reserve on the disk.
        ...(!onServers && { disk: 'ok' }),
        sandbox: 'ok',
        egress: 'ok',
        browser: 'ok',
      },
    });
  });

  test('metrics in the Prometheus format cover requests, renders, queue, browser and sandbox', async () => {
    await using own = await TestService.start();
    await own.post('/v1/generate', { html: 'x' });
    await own.post('/v1/generate', { html: '<script></script>x' });
    const text = await (await fetch(`${own.url}/metrics`)).text();
    for (const line of [
      /^platen_http_requests_total\{route="POST \/v1\/generate",status="200"\} 2$/m,
      /^platen_renders_total\{class="plain",outcome="completed"\} 1$/m,
      /^platen_renders_total\{class="active",outcome="completed"\} 1$/m,
      /^platen_render_queue_depth 0$/m,
      /^platen_render_wait_seconds_count\{urgency="caller"\} 2$/m,
      /^platen_event_loop_delay_seconds_count \d+$/m,
      /^# TYPE platen_browser_recycles_total counter$/m,
      /^# TYPE platen_sandbox_kills_total counter$/m,
    ]) {
      expect(text).toMatch(line);
    }
  });

  test('every response has its own request id', async () => {
    const ids = await Promise.all(
      ['/healthz', '/v1/generations', '/nothing', '/openapi.json'].map(async (path) =>
        (await service().get(path)).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^req_[0-9A-Za-z]{24}$/);
  });
});

describe('documentation', () => {
  test('every operation has a summary, examples of its body and response, and all its errors', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    expect(document.openapi).toMatch(/^3\.1/);
    const operations = Object.entries<Record<string, Answer['body']>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'delete /v1/assets/{name}',
      'delete /v1/certificates/{id}',
      'delete /v1/files/{id}',
      'delete /v1/generations/{id}',
      'delete /v1/templates/{id}',
      'get /v1/assets',
      'get /v1/assets/{name}',
      'get /v1/batches',
      'get /v1/batches/{id}',
      'get /v1/certificates',
      'get /v1/certificates/{id}',
      'get /v1/files',
      'get /v1/files/{id}',
      'get /v1/files/{id}/content',
      'get /v1/files/{id}/pages/{n}.png',
      'get /v1/files/{id}/proof',
      'get /v1/generations',
      'get /v1/generations/{id}',
      'get /v1/generations/{id}/pages/{n}.png',
      'get /v1/generations/{id}/proof',
      'get /v1/integrations/auth/test',
      'get /v1/integrations/triggers/new-generation',
      'get /v1/integrations/triggers/new-template',
      'get /v1/marketplace',
      'get /v1/marketplace/{id}',
      'get /v1/starter-templates',
      'get /v1/starter-templates/{slug}',
      'get /v1/templates',
      'get /v1/templates/{id}',
      'get /v1/templates/{id}/versions',
      'get /v1/usage',
      'get /v1/webhooks/deliveries',
      'post /v1/ai/generate-template',
      'post /v1/assets',
      'post /v1/batches/{id}/cancel',
      'post /v1/certificates',
      'post /v1/files',
      'post /v1/generate',
      'post /v1/generate/batch',
      'post /v1/images',
      'post /v1/integrations/actions/generate',
      'post /v1/marketplace/{id}/clone',
      'post /v1/marketplace/{id}/publish',
      'post /v1/marketplace/{id}/unpublish',
      'post /v1/pdf/attachments',
      'post /v1/pdf/compare',
      'post /v1/pdf/compress',
      'post /v1/pdf/flatten',
      'post /v1/pdf/forms/add-fields',
      'post /v1/pdf/forms/fill',
      'post /v1/pdf/forms/list-fields',
      'post /v1/pdf/images',
      'post /v1/pdf/info',
      'post /v1/pdf/invoice',
      'post /v1/pdf/invoice/read',
      'post /v1/pdf/merge',
      'post /v1/pdf/number',
      'post /v1/pdf/outline',
      'post /v1/pdf/pages',
      'post /v1/pdf/pdfa',
      'post /v1/pdf/pipeline',
      'post /v1/pdf/properties',
      'post /v1/pdf/protect',
      'post /v1/pdf/sign',
      'post /v1/pdf/split',
      'post /v1/pdf/stamp',
      'post /v1/pdf/text',
      'post /v1/pdf/timestamp',
      'post /v1/pdf/unlock',
      'post /v1/pdf/validate',
      'post /v1/pdf/verify',
      'post /v1/pdf/watermark',
      'post /v1/starter-templates/{slug}/clone',
      'post /v1/templates',
      'post /v1/templates/preview',
      'post /v1/templates/{id}/versions/{version}/restore',
      'post /v1/webhooks/deliveries/{id}/retry',
      'put /v1/templates/{id}',
    ]);
    const names = (path: string) =>
      document.paths[path].get.parameters.map(({ name }: { name: string }) => name);
    expect(names('/v1/templates/{id}')).toEqual(['id', 'version']);
    for (const { operation } of operations) {
      expect(operation.summary).toBeString();
      const isPublic = operation.tags[0] === 'Starter templates' && !operation.responses['201'];
      expect(operation.security).toEqual(isPublic ? [] : [{ apiKey: [] }]);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([...(isPublic ? [] : ['401']), '429', '500', '503']),
      );
      const success = operation.responses['200'] ?? operation.responses['201'] ?? operation.responses['202'];
      const isEmpty = '204' in operation.responses;
      if (isEmpty) expect(success).toBeUndefined();
      else if (operation.operationId === 'downloadFile')
        expect(Object.keys(success.content)).toEqual(['application/pdf', 'application/zip']);
      else if (operation.operationId.startsWith('draw'))
        expect(Object.keys(success.content)).toEqual(['image/png']);
      else expect(success.content['application/json'].example).toBeObject();
      if (operation.requestBody)
        expect(
          Object.keys(operation.requestBody.content['application/json'].examples).length,
        ).toBeGreaterThan(0);
    }
    expect(Object.keys(document.paths['/v1/generate'].post.responses)).toEqual(
      expect.arrayContaining(['400', '403', '404']),
    );
    expect(JSON.stringify(document)).not.toContain('"expected":"');
  });

  test('the API documentation page loads only local files', async () => {
    const page = await (await fetch(`${service().url}/docs`)).text();
    const urls = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(urls.length).toBeGreaterThanOrEqual(2);
    for (const url of urls) {
      expect(url).toStartWith('/docs/');
      const asset = await fetch(service().url + url);
      expect(asset.status).toBe(200);
      expect(await asset.text()).toMatch(/swagger/i);
    }
  });
});

describe('route audit', () => {
  afterEach(() => void setSystemTime());

  test('every route that is not public gets 401 without a key before any other check', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    let keyed = 0;
    const startedAt = Date.now();
    for (const [path, methods] of Object.entries<Record<string, Answer['body']>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.security.length === 0) continue;
        keyed += 1;
        // Failed authentications per second and address are limited, so every request gets a second.
        setSystemTime(new Date(startedAt + keyed * 1_100));
        const answer = await service().request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), {
          key: null,
          ...(method === 'get' ? {} : { body: '{' }),
        });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
      }
    }
    expect(keyed).toBeGreaterThanOrEqual(60);
  });

  test('the public routes need no key', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json']) {
      expect((await service().get(path, null)).status).toBe(200);
    }
  });
});
