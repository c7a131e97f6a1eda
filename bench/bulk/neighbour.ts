import { documentNamed } from '../../tests/documents/index.ts';
import type { Deployment } from '../neighbours/deployment.ts';
import {
  requestInvoice,
  requestSteadily,
  summarise,
  type Call,
  type Figures,
} from '../neighbours/neighbour.ts';
import { BulkAccount, numbers } from './bulk-account.ts';

const BATCHES = 3;
const INTERVAL_MS = 200;
const WARM_UP_CALLS = 20;

/** The response times of single prints of an account, and how long it takes until batches are canceled. */
export interface BesideBatches {
  idle: Figures;
  beside: Figures;
  /** From the request until no item can start any more, in milliseconds; of each batch. */
  cancelMs: number[];
  /** From the request until the items that were being made have ended. */
  endMs: number[];
}

/**
 * Measures the single prints of an account, idle and beside bulk batches of other accounts, in alternating
 * rounds. Each round ends with the cancellation of the batches.
 */
export async function measureBesideBatches(
  deployment: Deployment,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<BesideBatches> {
  const neighbour = { url: deployment.url, key: await deployment.createKey('pro') };
  const others: BulkAccount[] = [];
  while (others.length < BATCHES) others.push(await BulkAccount.create(deployment));
  const html = documentNamed('invoice').replace('</h1>', ' {{number}}</h1>');
  const templates = await Promise.all(others.map((account) => account.store(html)));
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await requestInvoice(neighbour);
  const steady = { everyMs: INTERVAL_MS, durationMs: seconds * 1000 };
  const [idle, beside]: [Call[], Call[]] = [[], []];
  const [cancelMs, endMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await requestSteadily(neighbour, steady)));
    const sent = others.map((account, index) => account.send(templates[index] ?? '', numbers(10_000)));
    const batches = await Promise.all(sent);
    // All batches have items that are being made.
    await Bun.sleep(2_000);
    beside.push(...(await requestSteadily(neighbour, steady)));
    for (const [index, account] of others.entries()) {
      const times = await timeCancellation(account, batches[index] ?? '');
      cancelMs.push(times.cancelMs);
      endMs.push(times.endMs);
    }
  }
  return { idle: summarise(idle), beside: summarise(beside), cancelMs, endMs };
}

async function timeCancellation(account: BulkAccount, batch: string) {
  if ((await account.read(batch)).completed === 0) throw new Error('the batch has not begun');
  const startedAt = performance.now();
  const { status } = await account.cancel(batch);
  if (status !== 'canceled') throw new Error(`the canceled batch is ${status}`);
  while (await account.has(batch, 'queued')) await Bun.sleep(5);
  const cancelMs = performance.now() - startedAt;
  while (await account.has(batch, 'processing')) await Bun.sleep(20);
  return { cancelMs, endMs: performance.now() - startedAt };
}
