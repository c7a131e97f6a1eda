import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 200;
/** A process that uses more of a processor than this is busy. */
const BUSY_SHARE = 0.4;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Finds the processes that keep a processor busy. Returns an empty list on systems other than Linux. */
export async function findBusy(processIds: readonly number[]): Promise<number[]> {
  const before = await Promise.all(processIds.map(readProcessorMs));
  await sleep(WINDOW_MS);
  const after = await Promise.all(processIds.map(readProcessorMs));
  return processIds.filter((_, index) => (after[index] ?? 0) - (before[index] ?? 0) > WINDOW_MS * BUSY_SHARE);
}

async function readProcessorMs(processId: number): Promise<number> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // The program's name, in parentheses, may contain any character. After it, user and system time are the 12th and 13th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}
