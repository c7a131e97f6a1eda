import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the content of all files in the data folder of a service, which may be running.
 * @throws {Error} for a folder without a database
 */
export async function readDataFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  if (!files.some((file) => file.endsWith('platen.sqlite'))) throw new Error(`${folder} has no database`);
  // A job of the service may have moved or removed a file since.
  const read = (file: string) =>
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return Buffer.alloc(0);
    });
  return Buffer.concat(await Promise.all(files.map(read)));
}
