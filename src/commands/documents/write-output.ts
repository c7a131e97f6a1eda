import {
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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
 * path `-` is standard output. A symbolic link stays, and the file to which it leads is written. A pipe or a
 * device is not a file to replace, so it gets the content as it comes.
 * @throws {UsageError}
 */
export async function writeOutput(path: string, content: Uint8Array): Promise<void> {
  if (path === '-') {
    await Bun.write(Bun.stdout, content);
    return;
  }
  let draft: string | undefined;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      writeFileSync(path, content);
      return;
    }
    const target = found ? realpathSync(path) : newFileAt(path);
    draft = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
    writeFileSync(draft, content);
    renameSync(draft, target);
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true });
    throw new UsageError(`${path} cannot be written (${messageOf(error)})`);
  }
}

/** Returns the path of a file that does not exist yet: the path itself, or where its link leads. */
function newFileAt(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
}
