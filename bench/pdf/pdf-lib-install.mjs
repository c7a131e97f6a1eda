// Installs the maintained fork of pdf-lib with npm into a cache outside the repository. Platen does not depend on it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/s3.mjs';

const VERSION = '2.11.0';
const INSTALL_LIMIT_MS = 3 * 60 * 1000;

/**
 * Installs the package unless it is installed.
 * @returns {string} the folder that contains `node_modules`
 * @throws {Error} if npm is missing or fails, with a message of one line
 */
export function installPdfLib() {
  const cache = cacheFolder();
  const folder = join(cache, `pdf-lib-${VERSION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'installing-'));
  try {
    const dependencies = { '@cantoo/pdf-lib': VERSION };
    writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=1'], {
      cwd: work,
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    if (npm.status !== 0) throw new Error('npm cannot install @cantoo/pdf-lib; is the machine offline?');
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
