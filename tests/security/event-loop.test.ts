import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLoopService } from '../support/event-loop/service.ts';
import { casesOfSuite, isThorough } from '../support/suite.ts';
import type { WorstInput } from '../support/event-loop/inputs.ts';
import { OPERATIONS, worstInputs } from '../support/event-loop/worst-inputs.ts';

/**
 * The longest time one request may block the event loop. It is compared with the CPU time that the service's main thread spends while
 * `/healthz` waits, which barely depends on the load of the machine. `bench/event-loop.ts` measures the delay itself.
 */
const MAX_BLOCK_MS = 100;
/** Number of measurements; the shortest counts, because any may include compilation or garbage collection. */
const TRIES = 3;

const inputs = worstInputs.filter(({ benchOnly }) => !benchOnly);
const usesStored = ({ body, path }: WorstInput) => (body?.length ?? 0) + (path?.length ?? 0) > 0;
// In `npm test`, nothing is stored before the measurements, because that takes longer than they do.
const chosen = [
  ...casesOfSuite(
    inputs.filter((input) => !usesStored(input)),
    16,
  ),
  ...(isThorough ? inputs.filter(usesStored) : []),
];

let dataDir: string;
let service: EventLoopService;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-event-loop-'));
  service = await EventLoopService.start(dataDir, { stores: isThorough });
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

test.skipIf(isThorough)(
  'every route of the OpenAPI document has a worst known input for each media type',
  async () => {
    const listed = new Set(
      inputs.flatMap(({ route, body, contentType }) => [
        route,
        ...(body ? [`${route} ${(contentType ?? 'application/json').split(';')[0]}`] : []),
      ]),
    );
    const routes = await service.routes();
    expect(routes).toContain('POST /v1/files multipart/form-data');
    expect(routes.filter((route) => !listed.has(route))).toEqual([]);
  },
);

test.skipIf(isThorough)('the routes outside of the OpenAPI document exist', async () => {
  const statuses = OPERATIONS.map(async (path) => (await fetch(service.url + path)).status);
  expect(await Promise.all(statuses)).toEqual(OPERATIONS.map(() => 200));
});

test.each(chosen.map((input) => [input.route, input.name, input] as const))(
  '%s with %s does not block the event loop',
  async (_, __, input) => {
    const blocks: number[] = [];
    do {
      const { cpuMs, polls } = await service.measure(input);
      expect(polls).toBeGreaterThan(0);
      blocks.push(cpuMs);
    } while (Math.min(...blocks) > MAX_BLOCK_MS && blocks.length < TRIES);
    expect(Math.min(...blocks)).toBeLessThan(MAX_BLOCK_MS);
  },
  120_000,
);
