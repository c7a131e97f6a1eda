import { readFile } from 'node:fs/promises';

/**
 * Reads the resident memory of a process in bytes: `VmRSS` of `/proc/<pid>/status` on Linux (in kB whatever the page size is,
 * unlike `statm`), `ps` elsewhere. Returns 0 for a process that is gone.
 */
export async function residentBytes(pid: number): Promise<number> {
  const kilobytes = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return Number(kilobytes ?? 0) * 1024;
}

async function fromProc(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
}

async function fromPs(pid: number): Promise<string | undefined> {
  const ps = Bun.spawn(['ps', '-o', 'rss=', '-p', String(pid)], { stderr: 'ignore' });
  return /\d+/.exec(await new Response(ps.stdout).text())?.[0];
}
