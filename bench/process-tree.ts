import { readdirSync, readFileSync } from 'node:fs';

/** Memory of processes in MB. */
export interface MemorySize {
  /** Resident; added up over processes, pages that they share count for each. */
  rss: number;
  /** Proportional: a page that n processes share counts 1/n for each, so sums are true. */
  pss: number;
}

/** Reads the memory of one process; zeros when it is gone. Linux only. */
export function readMemory(pid: number): MemorySize {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rss: read('Rss'), pss: read('Pss') };
  } catch {
    return { rss: 0, pss: 0 };
  }
}

/** Adds up the memory of a process and of all that it started, and what those started. Linux only. */
export function readTreeMemory(root: number): MemorySize & { processes: number } {
  const pids = listTree(root);
  const sizes = pids.map((pid) => readMemory(pid));
  const sum = (kind: keyof MemorySize) => Math.round(sizes.reduce((total, size) => total + size[kind], 0));
  return { processes: pids.length, rss: sum('rss'), pss: sum('pss') };
}

/**
 * Adds up the processor time that a process and all that it started have used so far, in milliseconds, with that of children that
 * ended. Linux only: fields 14 to 17 of proc_pid_stat(5), in ticks of 10 ms.
 */
export function readTreeCpuMs(root: number): number {
  return listTree(root)
    .flatMap((pid) => readStat(pid).slice(11, 15))
    .reduce((total, ticks) => total + Number(ticks) * 10, 0);
}

function listTree(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(readStat(Number(name))[1])] as const);
  const below = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([pid]) => [pid, ...below(pid)]);
  return [root, ...below(root)];
}

/** Reads the fields of `/proc/<pid>/stat` after the name, which may hold spaces; none when the process is gone. */
function readStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
