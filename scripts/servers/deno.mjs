// Deno, in which a test runs the TypeScript client. Its package of the npm registry has the executable.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { ServerMissingError } from './maven.mjs';

const DENO = '2.9.6';
const INSTALL_LIMIT_MS = 300_000;

/**
 * Installs Deno if it is missing.
 * @returns {string} the path of the executable
 * @throws {ServerMissingError} when it cannot be installed
 */
export function installDeno() {
  const folder = join(cacheFolder(), `deno-${DENO}`);
  const deno = join(folder, 'node_modules', '.bin', 'deno');
  if (existsSync(deno)) return deno;
  const work = mkdtempSync(join(cacheFolder(), 'installing-'));
  try {
    const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', work];
    const { status } = spawnSync('npm', ['install', ...options, `deno@${DENO}`], {
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    if (status !== 0) throw new ServerMissingError('npm could not install Deno; is the machine offline?');
    // If two processes install at the same time, the folder of the first is kept.
    if (!existsSync(deno)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return deno;
}
