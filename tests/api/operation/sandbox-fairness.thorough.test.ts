import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readMetric } from '../../support/service/metrics.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { until } from '../../support/until.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf, plainPdf } from '../../support/pdf/samples.ts';

// Only prevents a hang.
setDefaultTimeout(120_000);

// A separate service, because the tests read metrics of the whole service.
const own = sharedService({});

/** A template that runs until its deadline. */
const ENDLESS = '{{#each (range 1 10000)}}'.repeat(3) + '{{/each}}'.repeat(3);

/** Concurrent requests of one account, whose callers can disconnect. */
class Flood {
  readonly #service: TestService;
  readonly #key: string;
  readonly #callers = new AbortController();
  pending = 0;
  readonly statuses: number[] = [];

  constructor(service: TestService, key: string) {
    this.#service = service;
    this.#key = key;
  }

  send(count: number, path: string, body: object): void {
    for (let sent = 0; sent < count; sent += 1) void this.#send(path, body);
  }

  async #send(path: string, body: object): Promise<void> {
    this.pending += 1;
    const { signal } = this.#callers;
    await this.#service.send(path, body, { key: this.#key, signal }).then(
      ({ status }) => this.statuses.push(status),
      () => undefined,
    );
    this.pending -= 1;
  }

  disconnect(): void {
    this.#callers.abort();
  }
}

const aborted = (service: TestService) => readMetric(service, 'sandbox_kills_total{reason="aborted"}');
const running = (service: TestService) => readMetric(service, 'sandbox_tasks_running');

const info = { pdf: base64(pagesPdf(2)) };

/** Sends requests as account B while requests of account A wait and run. */
async function workDuring(flood: Flood, service: TestService, key: string): Promise<void> {
  await until(async () => (await running(service)) > 0);
  for (let round = 0; round < 2; round += 1) {
    const generated = await service.post('/v1/generate', { html: '<p>{{n}}', data: { n: round } }, key);
    expect(generated.status).toBe(200);
    expect((await service.post('/v1/pdf/info', info, key)).body).toMatchObject({ pages: 2 });
    // B did not wait for A, because some of A's earlier requests have no response yet.
    expect(flood.pending).toBeGreaterThan(0);
  }
}

describe('an account is served while another account keeps the sandbox busy', () => {
  test('with endless templates, which are aborted when their callers disconnect', async () => {
    const service = own();
    const [a, b] = [await service.newKey(), await service.newKey()];
    const flood = new Flood(service, a);
    flood.send(20, '/v1/generate', { html: ENDLESS, data: {} });
    await workDuring(flood, service, b);
    // Waits for a running task, because none can be aborted between two tasks.
    await until(async () => (await running(service)) > 0);
    flood.disconnect();
    await until(async () => (await running(service)) === 0);
    expect(await aborted(service)).toBeGreaterThan(0);
    expect(await readMetric(service, 'sandbox_queue_depth')).toBe(0);
    expect(flood.statuses.filter((status) => status !== 400)).toEqual([]);
  });

  const steps = Array.from({ length: 20 }, () => ({ do: 'properties', set: { title: 'x' } }));
  const kinds: [string, string, object][] = [
    ['pipelines', '/v1/pdf/pipeline', { steps }],
    ['conversions', '/v1/pdf/pdfa', {}],
    ['images', '/v1/pdf/images', { dpi: 10 }],
    ['texts', '/v1/pdf/text', { format: 'json' }],
  ];
  test.each(kinds)('with %s of large PDFs', async (_name, path, fields) => {
    const service = own();
    const [a, b] = [await service.newKey(), await service.newKey()];
    const count = 20_000;
    const kids = Array.from({ length: count }, (_, page) => `${page + 3} 0 R`);
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/MediaBox[0 0 9 9]/Count ${count}/Kids[${kids.join(' ')}]>>`,
      ...kids.map(() => '<</Type/Page/Parent 2 0 R>>'),
    ]);
    const flood = new Flood(service, a);
    flood.send(12, path, { pdf: base64(pdf), ...fields });
    await workDuring(flood, service, b);
    flood.disconnect();
    await until(async () => (await running(service)) === 0);
  });
});

test('a template path with thousands of parts is rejected', async () => {
  const service = own();
  const html_content = `{{${'a.'.repeat(5_000)}a}}`;
  const { status, body } = await service.post('/v1/templates', { name: 'deep', html_content });
  expect(status).toBe(400);
  expect(body.error.details).toEqual([
    {
      path: 'html_content',
      message: expect.stringMatching(/^line 1, column 3: .* has more than 100 parts$/),
    },
  ]);
});

test('a document whose caller disconnects does not count and is not recorded', async () => {
  await using service = await TestService.start({ config: { plans: { free: { monthlyLimit: 2 } } } });
  const key = await service.newKey('free');
  for (let round = 1; round <= 3; round += 1) {
    const flood = new Flood(service, key);
    flood.send(1, '/v1/generate', { html: ENDLESS, data: {} });
    await until(async () => (await running(service)) === 1);
    flood.disconnect();
    await until(async () => (await aborted(service)) === round);
  }
  const generate = async () => (await service.post('/v1/generate', { html: 'x' }, key)).status;
  // The unit is returned shortly after the task has ended.
  await until(async () => (await generate()) === 200);
  expect([await generate(), await generate()]).toEqual([200, 403]);
  const { body } = await service.get('/v1/generations', key);
  expect(body.data.map((generation: { status: string }) => generation.status)).toEqual([
    'completed',
    'completed',
  ]);
});
