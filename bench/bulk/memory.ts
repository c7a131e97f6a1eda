import type { Deployment } from '../neighbours/deployment.ts';
import { BulkAccount } from './bulk-account.ts';

const BATCHES = 3;
const ITEMS = 9_900;
/** All lines have 99 MB. */
const LINE_BYTES = 10_000;
/** How long the items of the batches are made. */
const WORK_MS = 10_000;

/**
 * Sends three batches of 99 MB at once, from an account each. Returns the peak of the resident memory of the
 * service process in MB (`VmHWM`), from before the requests until the items have been made for 10 s.
 */
export async function measureMemory(deployment: Deployment): Promise<number> {
  const accounts: BulkAccount[] = [];
  while (accounts.length < BATCHES) accounts.push(await BulkAccount.create(deployment));
  const templates = await Promise.all(accounts.map((account) => account.store('<p>{{number}} {{text}}</p>')));
  const line = { number: 1, text: '' };
  line.text = 'x'.repeat(LINE_BYTES - JSON.stringify(line).length - 1);
  const body = new Blob([`${JSON.stringify(line)}\n`.repeat(ITEMS)]);
  deployment.memory.reset();
  const batches = await Promise.all(
    accounts.map((account, index) => account.send(templates[index] ?? '', body)),
  );
  await Bun.sleep(WORK_MS);
  const peak = deployment.memory.peaks.service;
  await Promise.all(accounts.map((account, index) => account.cancel(batches[index] ?? '')));
  return peak;
}
