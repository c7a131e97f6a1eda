import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

// The headless shell starts faster and prints several times as many pages as the full browser.
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/**
 * Finds Chromium on the PATH or among Playwright's downloads. Used by the service, and by the setup, which runs in Node before anything is installed.
 * @returns {string | undefined} the path of the executable
 */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...downloadedByPlaywright()].find((path) => existsSync(path));
}

/** @returns {string[]} */
function downloadedByPlaywright() {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium_headless_shell-'))
    .toSorted()
    .toReversed()
    .flatMap((name) => readdirSync(join(cache, name)).map((platform) => join(cache, name, platform)))
    .flatMap((folder) =>
      ['chrome-headless-shell', 'headless_shell', 'chrome-headless-shell.exe'].map((file) =>
        join(folder, file),
      ),
    );
}
