import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const bun = join(root, 'node_modules', '.bin', 'bun');

/** The Debian packages of the browser and of the fonts, without which some text is blank. */
const BROWSER_PACKAGES = ['chromium-headless-shell'];
const FONT_PACKAGES = [
  'fontconfig',
  'fonts-liberation',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
];
/** The tools with which the tests examine PDFs. */
const PDF_TOOL_PACKAGES = ['qpdf', 'poppler-utils'];
/** Additional packages of the image: an init process that forwards signals and reaps the processes of a crashed browser. */
const IMAGE_PACKAGES = ['tini'];
/**
 * Files of dependencies that the headless shell does not use: Mesa's graphics drivers with their compiler, and a Vulkan debugging layer (the
 * shell renders WebGL with its own SwiftShader). dpkg skips them; they would be a fifth of the image.
 */
const IMAGE_EXCLUDES = [
  '/usr/lib/*/libLLVM*',
  '/usr/lib/*/libgallium*',
  '/usr/lib/*/libz3*',
  '/usr/lib/chromium/libVkLayer*',
];
/** Peer dependencies of Elysia that are needed only for type checking. */
const UNUSED_PACKAGES = ['@types', '@typescript', 'bun-types', 'typescript', 'undici-types'];

/** Prints progress to standard error, because standard output belongs to the command that follows. */
function say(/** @type {string} */ text) {
  console.error(`platen setup: ${text}`);
}

/** Prints an error and exits. @returns {never} */
function fail(/** @type {string} */ text) {
  console.error(`platen: ${text}`);
  process.exit(1);
}

/** Installs the packages of the lockfile if they are missing or do not match it. */
export function ensureDependencies() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(bun) && existsSync(marker) && sameLock(marker)) return;
  installDependencies('--include=dev');
}

/** Installs the production dependencies, for the image. */
export function installProductionDependencies() {
  installDependencies('--omit=dev');
  const modules = join(root, 'node_modules');
  for (const name of UNUSED_PACKAGES) rmSync(join(modules, name), { recursive: true, force: true });
  // A second copy of the 100 MB `bun` executable, which only `bunx` uses.
  for (const name of ['.bin/bunx', 'bun/bin/bunx.exe']) rmSync(join(modules, name), { force: true });
}

function installDependencies(/** @type {'--include=dev' | '--omit=dev'} */ extent) {
  say('installing the packages of the lockfile (npm); this takes about half a minute');
  // `npm ci` rejects a lockfile that lacks the optional binaries of other platforms, which happens when it was written with a registry that
  // has only those of one platform. `--no-save` uses the lockfile's versions and does not change the lockfile.
  const npm = spawnSync(
    'npm',
    ['install', '--no-save', extent, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (npm.status !== 0) fail('npm could not install the packages; see its output above.');
}

/** Tells whether the installed packages match the lockfile. npm records the installed tree in the same format. */
function sameLock(/** @type {string} */ marker) {
  const versions = (/** @type {string} */ path) => {
    const { packages } = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(Object.entries(packages).map(([name, entry]) => [name, entry.version]));
  };
  const installed = versions(marker);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).every(
    ([name, entry]) => name === '' || entry.optional || installed.get(name) === entry.version,
  );
}

/** Finds or installs a Chromium and the fonts. */
export function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) fail(`CHROMIUM_PATH: the file ${named} does not exist.`);
  const packages = [
    ...(named || findChromium() ? [] : BROWSER_PACKAGES),
    ...(hasFonts() ? [] : FONT_PACKAGES),
  ];
  if (packages.length > 0 && canInstall()) aptInstall(packages);
  if (!named && !findChromium()) downloadBrowser();
  if (!named && !findChromium()) {
    fail(
      'Chromium was not found: install the Debian package chromium-headless-shell (as root: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
    );
  }
  if (!hasFonts()) {
    say(`fonts are missing, so some text will be blank; install ${FONT_PACKAGES.join(' ')}`);
  }
}

/** Installs the browser, the fonts and the init process of the image. Exits with a message on failure. Needs root and apt-get. */
export function installImagePackages() {
  const excludes = IMAGE_EXCLUDES.map((pattern) => `path-exclude=${pattern}\n`);
  writeFileSync('/etc/dpkg/dpkg.cfg.d/platen', excludes.join(''));
  aptInstall([...BROWSER_PACKAGES, ...FONT_PACKAGES, ...IMAGE_PACKAGES]);
  if (!findChromium() || !hasFonts() || !hasCommand('tini'))
    fail('the packages of the image could not be installed; see the output of apt-get above.');
  for (const folder of ['/var/lib/apt/lists', '/var/cache/apt', '/var/log/apt'])
    rmSync(folder, { recursive: true, force: true });
}

/** Installs qpdf and poppler for the tests if possible; without them, some tests are skipped. */
export function ensurePdfTools() {
  const missing = PDF_TOOL_PACKAGES.filter((name) => !hasCommand(name === 'qpdf' ? 'qpdf' : 'pdftoppm'));
  if (missing.length > 0 && canInstall()) aptInstall(missing);
}

function canInstall() {
  return process.getuid?.() === 0 && hasCommand('apt-get');
}

function aptInstall(/** @type {string[]} */ packages) {
  say(`installing ${packages.join(', ')} (apt-get); this takes a minute or two`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'ignore', 2] }).status === 0;
  if (!apt('update') || !apt('install', '-y', '--no-install-recommends', ...packages))
    say(`apt-get could not install ${packages.join(', ')}`);
}

/** Downloads Playwright's build of the headless shell, for machines without Debian packages or without root. */
function downloadBrowser() {
  say('downloading a headless Chromium (playwright); this takes a minute');
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium-headless-shell'], {
    stdio: ['ignore', 'ignore', 2],
    timeout: 300_000,
  });
}

function hasFonts() {
  if (process.platform !== 'linux') return true;
  const list = spawnSync('fc-list', [':', 'family'], { encoding: 'utf8' });
  const families = ['Liberation Sans', 'Noto Sans', 'Noto Sans CJK', 'Noto Color Emoji'];
  return list.status === 0 && families.every((family) => list.stdout.includes(family));
}

function hasCommand(/** @type {string} */ name) {
  return spawnSync('which', [name], { stdio: 'ignore' }).status === 0;
}
