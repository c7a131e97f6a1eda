import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Returns the CPU time that a process has used, in milliseconds. Returns 0 if the process has ended, and on
 * systems other than Linux.
 */
export async function cpuTimeMs(processId: number): Promise<number> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // The program's name, in parentheses, may contain any character. After it, user and system time are the
  // 12th and 13th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}
