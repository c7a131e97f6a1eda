import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { ServerMissingError } from './maven.mjs';

const INSTALL_LIMIT_MS = 300_000;

/**
 * Installs packages from PyPI in a folder of their own if they are missing.
 * @param {{ name: string, packages: readonly string[] }} what the name for messages, and the packages with
 * their versions, such as `pyhanko==0.38.0`
 * @returns {string} the path of a Python interpreter that can import them
 * @throws {ServerMissingError} when they cannot be installed
 */
export function installPythonPackages({ name, packages }) {
  const id = packages.map((item) => item.replace(/\[.*\]/, '').replace('==', '-')).join('-');
  const folder = join(cacheFolder(), id);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  const work = mkdtempSync(join(cacheFolder(), 'installing-'));
  try {
    run(['python3', '-m', 'venv', work], `${name} needs python3 with the module venv`);
    const pip = [join(work, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', ...packages];
    run(pip, `pip could not install ${name}; is the machine offline?`);
    // If two processes install at the same time, the folder of the first is kept.
    if (!existsSync(python)) renameSync(work, folder);
  } catch (error) {
    if (!existsSync(python)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return python;
}

/** @throws {ServerMissingError} with the explanation, if the command fails */
function run(/** @type {string[]} */ [command = '', ...args], /** @type {string} */ explanation) {
  const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS });
  if (status !== 0) throw new ServerMissingError(explanation);
}
