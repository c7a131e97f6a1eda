/**
 * Measures batches on SQLite in one run: a batch of 100 one-page documents against 100 requests for the same
 * documents at the best concurrency; the response time of the 202 for 100 items of 10 kB, also with 5,000
 * items waiting; the response times of `/v1/generate` while a batch runs; and the response times of
 * `/healthz` while a batch of 60 MB is accepted. All figures are medians.
 */
import { documentNamed } from '../tests/documents/index.ts';
import { completed, submit } from '../tests/support/batch/batches.ts';
import { TestService, type ApiResponse } from '../tests/support/service/service.ts';
import { row, timed } from './batch/figures.ts';
import { median } from './statistics.ts';
import { measureLargeBatch } from './batch/large-batch.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
/** Rounds of the measurements that take long, or that repeat within a round. */
const LONG_ROUNDS = Number(process.env['LONG_ROUNDS'] ?? 3);
const WAITING = 5_000;
const ITEMS = 100;
const CONCURRENCIES = [4, 8, 16];

const invoice = documentNamed('invoice');
const items = Array.from({ length: ITEMS }, () => ({ html: invoice }));
const tenKilobytes = Array.from({ length: ITEMS }, (_, index) => ({
  html: `<p>${`${index} lorem ipsum `.repeat(1_000).slice(0, 10_000)}</p>`,
}));

await using service = await TestService.start();

await requests(8);
await wholeBatch();

const byRequests = new Map<number, number[]>(CONCURRENCIES.map((concurrency) => [concurrency, []]));
const byBatch: number[] = [];
// Alternated, so that a slow minute on a shared machine affects all of them.
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [concurrency, times] of byRequests) times.push(await requests(concurrency));
  byBatch.push(await wholeBatch());
}
const best = Math.min(...Array.from(byRequests.values(), median));
console.log(`100 documents in one batch or in 100 requests, ${ROUNDS} rounds:`);
console.table([
  ...Array.from(byRequests, ([concurrency, times]) => row(`100 requests, ${concurrency} at once`, [times])),
  row('a batch of 100', [byBatch]),
]);
console.log(
  `a batch takes ${(median(byBatch) / best).toFixed(2)} times as long as 100 requests at the best concurrency (goal: 1.3)`,
);

const [accepting, idle, busy]: [number[][], number[][], number[][]] = [[], [], []];
for (let round = 0; round < LONG_ROUNDS; round += 1) {
  accepting.push(await acceptances(true));
  idle.push(await callers(() => Promise.resolve()));
  busy.push(
    await callers(async () => {
      const batches = [await accepted(items), await accepted(items)];
      await Promise.all(batches.map((answer) => completed(service, answer)));
    }),
  );
}
const large = await measureLargeBatch(LONG_ROUNDS);
for (let waiting = 0; waiting < WAITING; waiting += ITEMS) await accepted(items);
const behindMany: number[][] = [];
for (let round = 0; round < LONG_ROUNDS; round += 1) behindMany.push(await acceptances(false));
console.log(`Response times, medians of ${LONG_ROUNDS} rounds (goal for the 202: 50 ms):`);
console.table([
  row('202 for 100 items of 10 kB', accepting),
  row(`the same, ${WAITING} items waiting`, behindMany),
  row('/v1/generate, idle', idle),
  row('/v1/generate, during batches of 100', busy),
  row('202 for 100 items of 600 kB', [large.accepted]),
  row('/healthz, idle', [large.idle]),
  row('/healthz, during a batch of 60 MB', large.during),
]);

async function acceptances(untilCompleted: boolean): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { ms, answer } = await timed(() => accepted(tenKilobytes));
    times.push(ms);
    if (untilCompleted) await completed(service, answer);
  }
  return times;
}

async function accepted(batch: readonly object[]): Promise<ApiResponse> {
  const answer = await submit(service, batch);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer;
}

async function generate(): Promise<void> {
  const { status, body } = await service.post('/v1/generate', { html: invoice });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function requests(concurrency: number): Promise<number> {
  let begun = 0;
  const worker = async () => {
    while (begun++ < ITEMS) await generate();
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: concurrency }, worker)));
  return ms;
}

async function wholeBatch(): Promise<number> {
  const { ms } = await timed(async () => completed(service, await accepted(items)));
  return ms;
}

/** Times sequential requests of one caller during `work`, at least 60. */
async function callers(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const state = { ended: false };
  const working = work().finally(() => {
    state.ended = true;
  });
  while (!state.ended || times.length < 60) times.push((await timed(generate)).ms);
  await working;
  return times;
}
