import { PlatenError } from './errors.ts';

/** Writes chunks to a file, which replaces another one when all of them have arrived. */
export async function saveFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { rename, rm, writeFile } = (await fileSystem()).promises;
  const part = `${path}.${Math.random().toString(36).slice(2)}.part`;
  try {
    await writeFile(part, chunks);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw explained(error, path);
  }
}

/** Reads a file. A PDF that the service accepts fits in memory. */
export async function readFile(path: string): Promise<Uint8Array> {
  const { promises } = await fileSystem();
  return promises.readFile(path).catch((error: unknown) => {
    throw explained(error, path);
  });
}

/** Imports the module by a variable, so that bundlers for browsers do not look for it. */
async function fileSystem(): Promise<typeof import('node:fs')> {
  const name = 'node:fs';
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as typeof import('node:fs');
  } catch {
    throw new PlatenError('FILE_ERROR', 'A browser has no paths: use `bytes()`, and upload a Blob.');
  }
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof PlatenError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'it or its folder does not exist' : (code ?? message);
  return new PlatenError('FILE_ERROR', `The file ${path} cannot be used (${reason}): correct the path.`);
}
