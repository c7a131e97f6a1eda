import { readdirSync, readFileSync } from 'node:fs';

/** Memory of one or more processes in MB. */
export interface MemorySize {
  /** Resident memory. In a sum over processes, a shared page counts for each of them. */
  rss: number;
  /** Proportional memory: a page shared by n processes counts 1/n for each, so that sums are exact. */
  pss: number;
}

/** Reads the memory of a process; zero if it has ended. Linux only. */
export function readMemory(pid: number): MemorySize {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rss: read('Rss'), pss: read('Pss') };
  } catch {
    return { rss: 0, pss: 0 };
  }
}

/** Sums the memory of a process and its descendants. Linux only. */
export function readTreeMemory(root: number): MemorySize & { processes: number } {
  const pids = listTree(root);
  const sizes = pids.map((pid) => readMemory(pid));
  const sum = (kind: keyof MemorySize) => Math.round(sizes.reduce((total, size) => total + size[kind], 0));
  return { processes: pids.length, rss: sum('rss'), pss: sum('pss') };
}

/**
 * Sums the CPU time of a process, its descendants and their ended children, in milliseconds. Linux only:
 * fields 14 to 17 of proc_pid_stat(5), in ticks of 10 ms.
 */
export function readTreeCpuMs(root: number): number {
  return listTree(root)
    .flatMap((pid) => readStat(pid).slice(11, 15))
    .reduce((total, ticks) => total + Number(ticks) * 10, 0);
}

/** Lists the ids of a process and its descendants. Linux only. */
export function listTree(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(readStat(Number(name))[1])] as const);
  const descendants = (parent: number): number[] =>
    parents
      .filter(([, parentOfPid]) => parentOfPid === parent)
      .flatMap(([pid]) => [pid, ...descendants(pid)]);
  return [root, ...descendants(root)];
}

/**
 * Reads the fields of `/proc/<pid>/stat` after the name, which may contain spaces; empty if the process has
 * ended.
 */
function readStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
