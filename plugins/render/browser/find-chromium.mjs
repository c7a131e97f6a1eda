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

/** Applications of macOS, which are not on the PATH. */
const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Google Chrome for Testing'];

/**
 * Finds Chromium on the PATH, among Playwright's downloads, or among the applications of macOS. Used by the
 * service, and by the setup, which runs in Node before anything is installed.
 * @param {{ platform?: string, home?: string, applications?: string }} machine for tests: the platform, the
 * home folder, and the folder of the applications of all users
 * @returns {string | undefined} the path of the executable
 */
export function findChromium({
  platform = process.platform,
  home = homedir(),
  applications = '/Applications',
} = {}) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const paths = [...onPath, ...downloadedByPlaywright(platform, home)];
  if (platform === 'darwin')
    for (const folder of [applications, join(home, 'Applications')])
      paths.push(...MAC_APPLICATIONS.map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)));
  return paths.find((path) => existsSync(path));
}

/**
 * @param {string} platform
 * @param {string} home
 * @returns {string[]}
 */
function downloadedByPlaywright(platform, home) {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium_headless_shell-'))
    .toSorted()
    .toReversed()
    .flatMap((name) => readdirSync(join(cache, name)).map((build) => join(cache, name, build)))
    .flatMap((folder) =>
      ['chrome-headless-shell', 'headless_shell', 'chrome-headless-shell.exe'].map((file) =>
        join(folder, file),
      ),
    );
}
