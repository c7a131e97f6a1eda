import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { follow } from '../../support/openapi.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { onMongoAndS3, TestService, type ApiResponse } from '../../support/service/service.ts';

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
        ...(!onMongoAndS3 && { disk: 'ok' }),
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
    const operations = Object.entries<Record<string, ApiResponse['body']>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    const committed: { paths: Record<string, object> } = JSON.parse(
      readFileSync(join(import.meta.dir, '../../../docs/openapi.json'), 'utf8'),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Object.entries(committed.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      ),
    );
    expect(operations.length).toBeGreaterThanOrEqual(70);
    const names = (path: string) =>
      document.paths[path].get.parameters.map((each: ApiResponse['body']) => follow(document, each).name);
    expect(names('/v1/templates/{id}')).toEqual(['id', 'version', 'X-Request-Id', 'traceparent']);
    for (const { operation } of operations) {
      expect(operation.summary).toBeString();
      // The routes of other APIs have their own errors, credentials and bodies.
      if ('x-platen-protocol' in operation) continue;
      const isPublic = operation.tags[0] === 'Starter templates' && !operation.responses['201'];
      expect(operation.security ?? document.security).toEqual(isPublic ? [] : [{ apiKey: [] }]);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([...(isPublic ? [] : ['401']), '429', '500', '503']),
      );
      const { 200: ok, 201: created, 202: accepted } = operation.responses;
      const success = follow(document, ok ?? created ?? accepted);
      const isEmpty = '204' in operation.responses;
      if (isEmpty) expect(success).toBeUndefined();
      else if (operation.operationId === 'downloadFile')
        expect(Object.keys(success.content)).toEqual(['application/pdf', 'application/zip']);
      else if (operation.operationId.startsWith('draw'))
        expect(Object.keys(success.content)).toEqual(['image/png']);
      else if (operation.operationId === 'exportAuditLog')
        expect(Object.keys(success.content)).toEqual(['text/csv', 'application/x-ndjson']);
      else expect(success.content['application/json'].example).toBeObject();
      // The body of `POST /v1/batches` is a file.
      const body = operation.requestBody?.content['application/json'];
      expect(body === undefined).toBe(!operation.requestBody || operation.operationId === 'createBulkBatch');
      if (body) expect(Object.keys(body.examples).length).toBeGreaterThan(0);
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
    for (const [path, methods] of Object.entries<Record<string, ApiResponse['body']>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.security?.length === 0) continue;
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
