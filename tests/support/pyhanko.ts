import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/s3.mjs';
import { skip } from './servers.ts';

const PYHANKO = 'pyhanko==0.38.0';

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]} exited with ${exitCode}: ${stderr.toString()}`);
  return stdout.toString();
}

/** Returns the path of a Python with pyHanko, which is installed in a cache if necessary. @throws {Error} if it cannot be installed. */
export function installPyHanko(): string {
  const folder = join(cacheFolder(), PYHANKO.replace('==', '-'));
  const python = join(folder, 'bin', 'python');
  if (existsSync(join(folder, 'installed'))) return python;
  console.log(`installing ${PYHANKO}`);
  run(['python3', '-m', 'venv', '--clear', folder]);
  run([python, '-m', 'pip', 'install', '--quiet', PYHANKO]);
  run(['touch', join(folder, 'installed')]);
  return python;
}

let isInstalled: boolean | undefined;

/**
 * Tells whether pyHanko is installed, installing it if possible. Otherwise prints one line.
 * @throws {Error} if it is unavailable and `REQUIRE_SERVERS=1` is set.
 */
export function requirePyHanko(): boolean {
  if (isInstalled !== undefined) return isInstalled;
  try {
    installPyHanko();
    isInstalled = true;
  } catch (error) {
    skip(`pyHanko: ${String(error).split('\n', 1)[0]}`);
    isInstalled = false;
  }
  return isInstalled;
}

/** A file as pyHanko reads it. */
export interface PyHankoReading {
  /** What went wrong, or `null`. */
  fault: string | null;
  /** The number of pages in the page tree. */
  pages: number;
  /** The permissions of an encrypted file, as in its entry `P`. */
  permissions: number | null;
}

/** Opens files in pyHanko, each with a password, and reads all their objects. */
export function readWithPyHanko(files: readonly { path: string; password: string }[]): PyHankoReading[] {
  const script = join(import.meta.dir, 'pyhanko_read.py');
  return JSON.parse(
    run([installPyHanko(), script, ...files.flatMap(({ path, password }) => [path, password])]),
  );
}
