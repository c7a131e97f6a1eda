import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The ids of the processes of LibreOffice, and the folders of their files, which this process has started. */
export function leftovers(): { processes: string[]; folders: string[] } {
  const own = new Set([String(process.pid)]);
  const processes: string[] = [];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const statusOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'latin1');
    } catch {
      return '';
    }
  };
  for (let grew = true; grew;) {
    grew = false;
    for (const pid of all) {
      const [, name = '', parent = ''] = /\((.*)\) \S (\d+)/.exec(statusOf(pid)) ?? [];
      if (own.has(pid) || !own.has(parent)) continue;
      own.add(pid);
      grew = true;
      if (name === 'soffice.bin') processes.push(pid);
    }
  }
  const folder = readdirSync(tmpdir()).find((name) => name.startsWith(`platen-office-${process.pid}-`));
  const folders =
    folder === undefined
      ? []
      : readdirSync(join(tmpdir(), folder)).filter((name) => /^[0-9a-f]{24}$/.test(name));
  return { processes, folders };
}

/** The command lines of all processes. */
export function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    });
}
