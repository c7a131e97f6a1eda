import { afterAll, beforeAll, expect, test } from 'bun:test';
import { EventLoopService, MAX_BLOCK_MS } from '../support/event-loop/service.ts';
import { OPERATIONS, storesNothing, worstInputs } from '../support/event-loop/worst-inputs.ts';

const inputs = worstInputs.filter(({ benchOnly }) => !benchOnly);
const SAMPLE_STEP = 60;

let service: EventLoopService;
beforeAll(async () => {
  // Storing records takes longer than these tests.
  service = await EventLoopService.start({ stores: false });
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
}, 60_000);

test('every route of the OpenAPI document has a worst known input for each media type', async () => {
  const listed = new Set(
    inputs.flatMap(({ route, body, contentType }) => [
      route,
      ...(body ? [`${route} ${(contentType ?? 'application/json').split(';')[0]}`] : []),
    ]),
  );
  const routes = await service.routes();
  expect(routes).toContain('POST /v1/files multipart/form-data');
  expect(routes.filter((route) => !listed.has(route))).toEqual([]);
});

test('the routes outside of the OpenAPI document exist', async () => {
  const statuses = OPERATIONS.map(async (path) => (await fetch(service.url + path)).status);
  expect(await Promise.all(statuses)).toEqual(OPERATIONS.map(() => 200));
});

const sample = inputs.filter(storesNothing).filter((_, index) => index % SAMPLE_STEP === 0);

test.each(sample.map((input) => [input.route, input.name, input] as const))(
  '%s with %s does not block the event loop',
  async (_, __, input) => {
    expect(await service.shortestBlockMs(input)).toBeLessThan(MAX_BLOCK_MS);
  },
  120_000,
);
