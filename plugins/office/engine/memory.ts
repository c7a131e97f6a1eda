import { readFile } from 'node:fs/promises';
import { residentBytes } from '@platen/runtime';

/** Returns the resident memory of a process and its descendants. */
export async function memoryOfTree(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  const pids = children.split(' ').filter((id) => id !== '');
  const sizes = await Promise.all([residentBytes(pid), ...pids.map((id) => memoryOfTree(Number(id)))]);
  return sizes.reduce((sum, size) => sum + size, 0);
}
