// Installs jsreport 4 with npm into a cache outside the tree: it is measured against and is no dependency of Platen's.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../scripts/servers/s3.mjs';

const packages = {
  '@jsreport/jsreport-core': '4.7.1',
  '@jsreport/jsreport-express': '4.2.3',
  '@jsreport/jsreport-chrome-pdf': '4.3.0',
  '@jsreport/jsreport-handlebars': '4.0.1',
  puppeteer: '24.43.1',
};
const INSTALL_LIMIT_MS = 5 * 60 * 1000;

/**
 * Installs jsreport where it is missing.
 * @returns {string} the folder of its packages
 * @throws {Error} when npm is missing or cannot install it; the message is one line
 */
export function installJsreport() {
  const cache = cacheFolder();
  const folder = join(cache, `jsreport-${packages['@jsreport/jsreport-core']}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Installed aside and renamed: a run that is broken off leaves no half of it.
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
    if (npm.status !== 0) throw new Error('npm cannot install it; is the machine offline?');
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
