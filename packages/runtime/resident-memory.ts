import { readFile } from 'node:fs/promises';

/**
 * Returns the resident memory of a process in bytes, or 0 if the process has ended. Reads `VmRSS` of
 * `/proc/<pid>/status` on Linux, which unlike `statm` does not depend on the page size, and runs `ps` on
 * other systems.
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
