import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { UsageError } from '../failures.ts';

/** Checks that a file can be written, before long work begins. @throws {UsageError} */
export function checkOutput(path: string): void {
  if (path === '-') {
    if (process.stdout.isTTY)
      throw new UsageError('a PDF is not for a terminal; use -o FILE, or redirect the output');
    return;
  }
  const folder = dirname(path);
  if (!existsSync(folder)) throw new UsageError(`the folder ${folder} does not exist; create it first`);
  if (existsSync(path) && statSync(path).isDirectory())
    throw new UsageError(`${path} is a folder; name the file to write`);
}

/**
 * Writes a file in one step: a file that exists has its old content until the new content is complete. The
 * path `-` is standard output.
 * @throws {UsageError}
 */
export async function writeOutput(path: string, content: Uint8Array): Promise<void> {
  if (path === '-') {
    await Bun.write(Bun.stdout, content);
    return;
  }
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    writeFileSync(draft, content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`${path} cannot be written (${messageOf(error)})`);
  }
}
