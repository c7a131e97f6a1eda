import { expect, test } from 'bun:test';
import { SCOPES } from '../../../src/accounts/scopes.ts';
import { follow } from '../../support/openapi.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
/** Creates a key that may use every route. */
const newKey = () => service().newKeyOfAccount({ scopes: SCOPES });

type Schema = ApiResponse['body'];

/** An operation of the OpenAPI document, with an address that fits its path. */
interface Route {
  method: string;
  path: string;
  address: string;
  /** The names of the parameters of the query. */
  query: string[];
  example: unknown;
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

async function readRoutes(): Promise<Route[]> {
  const { body: document } = await service().get('/openapi.json', null);
  return Object.entries<Record<string, Schema>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const query = parameters
        .map((each: Schema) => follow(document, each))
        .flatMap(({ in: place, name }: Schema) => (place === 'query' ? [name] : []));
      const { example } = requestBody?.content['application/json'] ?? {};
      return { method: method.toUpperCase(), path, address: addressOf(path), query, example };
    }),
  );
}

test('every list rejects a limit and an offset that are out of range or no integers', async () => {
  const lists = (await readRoutes()).filter(({ query }) => query.includes('limit'));
  expect(lists.length).toBeGreaterThan(5);
  const key = await newKey();
  for (const { address, query } of lists)
    for (const wrong of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'limit=',
      'limit=1e2',
      'offset=-1',
      'offset=x',
    ]) {
      const [name = ''] = wrong.split('=');
      if (!query.includes(name)) continue;
      const { status, body } = await service().get(`${address}?${wrong}`, key);
      expect([address, wrong, status, body.error?.details[0].path]).toEqual([address, wrong, 400, name]);
      expect(body.error.message).toContain('an integer');
    }
});

test('every operation rejects an unknown query parameter and names the valid ones', async () => {
  const routes = (await readRoutes()).filter(({ path }) => path.startsWith('/v1/'));
  expect(routes.length).toBeGreaterThan(60);
  const key = await newKey();
  for (const { method, address, query, example } of routes) {
    const body = { key, ...(example !== undefined && { body: example }) };
    const answer = await service().request(method, `${address}?colour=red`, body);
    const says = query.length > 0 ? `valid parameters are ${query[0]}` : 'this route has none';
    expect([method, address, answer.status, answer.body.error?.details]).toEqual([
      method,
      address,
      400,
      [{ path: 'colour', message: expect.stringContaining(`unknown query parameter; ${says}`) }],
    ]);
  }
});

test('every path answers other methods with 405 and the allowed ones', async () => {
  const all = (await readRoutes()).filter(({ path }) => path.startsWith('/v1/'));
  const paths = Map.groupBy(all, ({ path }) => path);
  // `GET /v1/templates/preview` reads a template.
  const isOperation = (method: string, address: string) =>
    all.some((route) => route.method === method && patternOf(route.path).test(address));
  expect(paths.size).toBeGreaterThan(40);
  for (const [path, routes] of paths) {
    const methods = routes.map(({ method }) => method);
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (isOperation(method, addressOf(path))) continue;
      const { status, body, headers } = await service().request(method, addressOf(path));
      expect([method, path, status, body.error?.code]).toEqual([method, path, 405, 'METHOD_NOT_ALLOWED']);
      expect(headers.get('allow')).toBe(allowed.toSorted().join(', '));
    }
  }
});
