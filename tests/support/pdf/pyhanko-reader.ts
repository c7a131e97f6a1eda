import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPython } from '../../signatures/pyhanko.ts';

/** The data that pyHanko reads from a file. */
export interface PyHankoReading {
  /** The reason why the file could not be read, or `null`. */
  fault: string | null;
  /** The number of pages in the page tree. */
  pages: number;
  /** The permissions of an encrypted file, as in its entry `P`. */
  permissions: number | null;
}

/** Opens files in pyHanko, each with a password, and reads all their objects. */
export async function readWithPyHanko(
  files: readonly { pdf: Uint8Array; password: string }[],
): Promise<PyHankoReading[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pyhanko-'));
  try {
    const paths = files.map((_, index) => join(folder, `file-${index}.pdf`));
    await Promise.all(files.map(({ pdf }, index) => Bun.write(paths[index] ?? '', pdf)));
    const pairs = files.flatMap(({ password }, index) => [paths[index] ?? '', password]);
    return await runPython('read_files.py', ...pairs);
  } finally {
    await rm(folder, { recursive: true });
  }
}
