import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const bun = join(root, 'node_modules', '.bin', 'bun');

/** Debian's names of the browser and of the fonts without which it prints blanks. */
const BROWSER_PACKAGES = ['chromium-headless-shell'];
const FONT_PACKAGES = [
  'fontconfig',
  'fonts-liberation',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
];
/** What the tests judge PDFs with. */
const JUDGE_PACKAGES = ['qpdf', 'poppler-utils'];
/** What the image needs besides: a first process that passes signals on and buries what a browser that died leaves behind. */
const IMAGE_PACKAGES = ['tini'];
/**
 * What comes along and the headless shell does not use: Mesa's drivers for graphics cards with their compiler, a layer that debugs
 * Vulkan (WebGL is drawn by SwiftShader, the shell's own). dpkg leaves them out; they are a fifth of the image.
 */
const IMAGE_EXCLUDES = [
  '/usr/lib/*/libLLVM*',
  '/usr/lib/*/libgallium*',
  '/usr/lib/*/libz3*',
  '/usr/lib/chromium/libVkLayer*',
];
/** What Elysia asks for on behalf of callers who check types; the service runs without. */
const UNUSED_PACKAGES = ['@types', '@typescript', 'bun-types', 'typescript', 'undici-types'];

/** Says what the set-up is doing; standard output belongs to the command that follows. */
function say(/** @type {string} */ text) {
  console.error(`platen set-up: ${text}`);
}

/** Prints one sentence and ends the process. @returns {never} */
function fail(/** @type {string} */ text) {
  console.error(`platen: ${text}`);
  process.exit(1);
}

/** Installs the packages of the lockfile when they are missing or another lockfile's. */
export function ensureDependencies() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(bun) && existsSync(marker) && sameLock(marker)) return;
  installDependencies('--include=dev');
}

/** Installs the packages that the service itself needs, for the image. */
export function installProductionDependencies() {
  installDependencies('--omit=dev');
  const modules = join(root, 'node_modules');
  for (const name of UNUSED_PACKAGES) rmSync(join(modules, name), { recursive: true, force: true });
  // The same 100 MB as `bun` under a second name, which only `bun install` and its like use.
  for (const name of ['.bin/bunx', 'bun/bin/bunx.exe']) rmSync(join(modules, name), { force: true });
}

function installDependencies(/** @type {'--include=dev' | '--omit=dev'} */ extent) {
  say('installing packages by the lockfile (npm); this takes about half a minute');
  // Not `npm ci`: it refuses a lockfile that lacks the optional binaries of other platforms, as one does that was written where
  // the registry has only this platform's. `--no-save` keeps to the lockfile's versions and does not write it.
  const npm = spawnSync(
    'npm',
    ['install', '--no-save', extent, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (npm.status !== 0) fail('npm could not install the packages; its output above says why.');
}

/** True when what is installed is what the lockfile names: npm writes the installed tree beside it in the same form. */
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
  if (named && !existsSync(named)) fail(`CHROMIUM_PATH: there is no file ${named}.`);
  const packages = [
    ...(named || findChromium() ? [] : BROWSER_PACKAGES),
    ...(hasFonts() ? [] : FONT_PACKAGES),
  ];
  if (packages.length > 0 && canInstall()) aptInstall(packages);
  if (!named && !findChromium()) downloadBrowser();
  if (!named && !findChromium()) {
    fail(
      "no Chromium was found: install Debian's package chromium-headless-shell (as root: apt-get install chromium-headless-shell), or set CHROMIUM_PATH.",
    );
  }
  if (!hasFonts()) {
    say(`fonts are missing, some text will print blank; install: ${FONT_PACKAGES.join(' ')}`);
  }
}

/** Installs the browser, the fonts and the first process of the image, or ends with the reason why it cannot. Needs root and apt-get. */
export function installImagePackages() {
  const excludes = IMAGE_EXCLUDES.map((pattern) => `path-exclude=${pattern}\n`);
  writeFileSync('/etc/dpkg/dpkg.cfg.d/platen', excludes.join(''));
  aptInstall([...BROWSER_PACKAGES, ...FONT_PACKAGES, ...IMAGE_PACKAGES]);
  if (!findChromium() || !hasFonts() || !hasCommand('tini'))
    fail('the packages of the image could not be installed; the output of apt-get above says why.');
  for (const folder of ['/var/lib/apt/lists', '/var/cache/apt', '/var/log/apt'])
    rmSync(folder, { recursive: true, force: true });
}

/** Installs qpdf and poppler for the tests where that is possible; without them the tests say what they skip. */
export function ensureJudges() {
  const missing = JUDGE_PACKAGES.filter((name) => !hasCommand(name === 'qpdf' ? 'qpdf' : 'pdftoppm'));
  if (missing.length > 0 && canInstall()) aptInstall(missing);
}

function canInstall() {
  return process.getuid?.() === 0 && hasCommand('apt-get');
}

function aptInstall(/** @type {string[]} */ packages) {
  say(`installing ${packages.join(', ')} (apt-get); this takes a minute or two`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ ...words) =>
    spawnSync('apt-get', ['-q', ...words], { env, stdio: ['ignore', 'ignore', 2] }).status === 0;
  if (!apt('update') || !apt('install', '-y', '--no-install-recommends', ...packages))
    say(`apt-get could not install ${packages.join(', ')}`);
}

/** Lets playwright download its build of the headless shell: the way for machines without Debian's packages or without root. */
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
