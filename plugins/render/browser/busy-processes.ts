import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeMs } from '@platen/runtime';

const WINDOW_MS = 200;
/** A process that uses more than this share of a processor is busy. */
const BUSY_SHARE = 0.4;

/** Finds the processes that keep a processor busy. Returns an empty list on systems other than Linux. */
export async function findBusy(processIds: readonly number[]): Promise<number[]> {
  const before = await Promise.all(processIds.map(cpuTimeMs));
  await sleep(WINDOW_MS);
  const after = await Promise.all(processIds.map(cpuTimeMs));
  return processIds.filter((_, index) => (after[index] ?? 0) - (before[index] ?? 0) > WINDOW_MS * BUSY_SHARE);
}
