import { mkdir, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPythonClient } from '../../scripts/servers/client-generators.mjs';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';

const root = join(import.meta.dir, '..', '..');
const clients = join(root, 'clients');

/** Compiles the TypeScript client into a folder, as if npm had installed it there. */
export async function addTypescriptClient(folder: string): Promise<void> {
  const target = join(folder, 'node_modules', '@platen', 'client');
  await mkdir(target, { recursive: true });
  await copyFile(join(clients, 'typescript', 'package.json'), join(target, 'package.json'));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const config = join(clients, 'typescript', 'tsconfig.build.json');
  const { exitCode, stdout } = Bun.spawnSync([tsc, '--project', config, '--outDir', join(target, 'dist')]);
  if (exitCode !== 0) throw new Error(stdout.toString());
}

/**
 * Returns an environment in which `python3` can import the Python client, or `undefined` if its dependencies
 * cannot be installed.
 */
export function pythonClientEnv(): Record<string, string> | undefined {
  try {
    const bin = join(installPythonClient(), '..');
    return {
      PATH: `${bin}:${process.env['PATH']}`,
      PYTHONPATH: join(clients, 'python', 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    return undefined;
  }
}
