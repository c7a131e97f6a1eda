import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders of the pools of this process. Each service has a pool. */
export function poolFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`platen-office-${process.pid}-`));
}

/**
 * The ids of the processes of LibreOffice, and the folders of their files, which this process has started.
 * @param others the folders of pools of other services, which are not counted
 */
export function leftovers(others: readonly string[]): { processes: string[]; folders: string[] } {
  const pools = poolFolders().filter((name) => !others.includes(name));
  const own = new Set<string>();
  const processes: string[] = [];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (let grew = true; grew;) {
    grew = false;
    for (const pid of all) {
      const [, name = '', parent = ''] = /\((.*)\) \S (\d+)/.exec(read(pid, 'stat')) ?? [];
      const isFirst =
        parent === String(process.pid) && pools.some((pool) => read(pid, 'cmdline').includes(pool));
      if (own.has(pid) || !(isFirst || own.has(parent))) continue;
      own.add(pid);
      grew = true;
      if (name === 'soffice.bin') processes.push(pid);
    }
  }
  const folders = pools.flatMap((pool) =>
    readdirSync(join(tmpdir(), pool)).filter((name) => /^[0-9a-f]{24}$/.test(name)),
  );
  return { processes, folders };
}

/** Reads a file about a process; an empty text if the process has ended. */
function read(pid: string, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** The command lines of all processes. */
export function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(pid, 'cmdline'));
}
