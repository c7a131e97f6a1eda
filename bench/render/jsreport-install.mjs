// Installs jsreport 4 with npm into a cache outside the repository. Platen does not depend on it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/cache-folder.mjs';

const packages = {
  '@jsreport/jsreport-core': '4.7.1',
  '@jsreport/jsreport-express': '4.2.3',
  '@jsreport/jsreport-chrome-pdf': '4.3.0',
  '@jsreport/jsreport-handlebars': '4.0.1',
  puppeteer: '24.43.1',
};
const INSTALL_LIMIT_MS = 5 * 60 * 1000;

/**
 * Installs jsreport unless it is installed.
 * @returns {string} the folder that contains `node_modules`
 * @throws {Error} if npm is missing or fails, with a message of one line
 */
export function installJsreport() {
  const cache = cacheFolder();
  const folder = join(cache, `jsreport-${packages['@jsreport/jsreport-core']}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Installed elsewhere and renamed, so that an interrupted run leaves no partial installation.
  const work = mkdtempSync(join(cache, 'installing-'));
  try {
    writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    console.error('bench: installing jsreport with npm');
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=1'], {
      cwd: work,
      env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1' },
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    if (npm.error) throw new Error('npm is not installed');
    if (npm.status !== 0) throw new Error('npm cannot install jsreport; is the machine offline?');
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
