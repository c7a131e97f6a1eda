import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../plugins/render/browser/find-chromium.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const bun = join(root, 'node_modules', '.bin', 'bun');
/**
 * The folder of the programs for checks and tests whose binaries differ by platform. It has a lockfile of its
 * own.
 */
const tools = join(root, 'tools');
/** Returns the path of a program in the folder `tools`. */
export const toolPath = (/** @type {string} */ name) => join(tools, 'node_modules', '.bin', name);

/** The Debian packages of the browser and of the fonts, without which some text is blank. */
const BROWSER_PACKAGES = ['chromium-headless-shell'];
const FONT_PACKAGES = [
  'fontconfig',
  'fonts-liberation',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
];
/** LibreOffice without its user interface, fonts with the widths of Microsoft's, and its isolation. */
const OFFICE_PACKAGES = [
  'libreoffice-writer-nogui',
  'libreoffice-calc-nogui',
  'libreoffice-impress-nogui',
  'libreoffice-draw-nogui',
  'fonts-crosextra-carlito',
  'fonts-crosextra-caladea',
  'fonts-liberation',
  'bubblewrap',
];
/** The tools with which the tests examine PDFs. */
const PDF_TOOL_PACKAGES = ['qpdf', 'poppler-utils'];
/** PHP, and what generated clients need. */
const PHP_PACKAGES = ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'];
/**
 * Additional packages of the image: an init process that forwards signals and reaps the processes of a
 * crashed browser.
 */
const IMAGE_PACKAGES = ['tini'];
/**
 * Files of dependencies that the headless shell does not use: Mesa's graphics drivers with their compiler,
 * and a Vulkan debugging layer (the shell renders WebGL with its own SwiftShader). dpkg skips them; they
 * would be a fifth of the image.
 */
const IMAGE_EXCLUDES = [
  '/usr/lib/*/libLLVM*',
  '/usr/lib/*/libgallium*',
  '/usr/lib/*/libz3*',
  '/usr/lib/chromium/libVkLayer*',
];
/** Peer dependencies of Elysia that are needed only for type checking. */
const UNUSED_PACKAGES = ['@types', '@typescript', 'bun-types', 'typescript', 'undici-types'];

const MIN_NODE = 20;
/** With npm's own settings, it takes ten minutes to notice that the registry cannot be reached. */
const NPM_ENV = {
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_maxtimeout: '2000',
  ...process.env,
};
const NETWORK_ERROR =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E5\d\d)$/;

/** Prints progress to standard error, because standard output belongs to the command that follows. */
function say(/** @type {string} */ text) {
  console.error(`platen setup: ${text}`);
}

/** Prints an error and exits. @returns {never} */
function fail(/** @type {string} */ text) {
  console.error(`platen: ${text}`);
  process.exit(1);
}

/**
 * Installs the packages of the lockfiles if they are missing or do not match them: those of the service, and
 * with `dev` also those of tests and checks. Development packages that are installed stay.
 */
export function ensureDependencies({ dev = true } = {}) {
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE)
    fail(`Node ${MIN_NODE} or newer is required; this is ${process.version}.`);
  const installed = existsSync(bun) ? installedPackages(root) : undefined;
  if (!installed || !matchesLock(root, installed, dev)) {
    const hasDev = Object.values(installed ?? {}).some((entry) => entry.dev);
    installDependencies(dev || hasDev ? '--include=dev' : '--omit=dev');
  }
  if (dev && !matchesLock(tools, installedPackages(tools) ?? {}, true))
    installDependencies('--include=dev', tools);
}

/** Reads the packages that npm has installed in a folder. */
function installedPackages(/** @type {string} */ folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  return existsSync(record) ? readLock(record) : undefined;
}

/** Installs the production dependencies, for the image. */
export function installProductionDependencies() {
  installDependencies('--omit=dev');
  const modules = join(root, 'node_modules');
  for (const name of UNUSED_PACKAGES) rmSync(join(modules, name), { recursive: true, force: true });
  // A second copy of the 100 MB `bun` executable, which only `bunx` uses.
  for (const name of ['.bin/bunx', 'bun/bin/bunx.exe']) rmSync(join(modules, name), { force: true });
}

/** Installs the packages of a folder's lockfile. `npm ci` would delete the installed packages first. */
function installDependencies(/** @type {'--include=dev' | '--omit=dev'} */ extent, folder = root) {
  const name = folder === root ? 'the packages' : 'the tools of tests and checks';
  say(`installing ${name} of the lockfile (npm); this takes about half a minute`);
  const args = ['install', '--no-save', extent, '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', args, {
    cwd: folder,
    env: NPM_ENV,
    stdio: ['ignore', 2, 'pipe'],
    encoding: 'utf8',
  });
  if (npm.error) fail(`npm, which installs the packages, cannot be run (${npm.error.message}).`);
  if (npm.status !== 0) fail(explainNpm(npm.stderr));
}

/** Explains why npm failed, in one sentence instead of its stack traces. */
function explainNpm(/** @type {string} */ output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length) ?? 'unknown error';
  if (NETWORK_ERROR.test(code)) {
    const { stdout } = spawnSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' });
    return `the npm registry ${stdout.trim()} cannot be reached (${code}); check the network and npm's registry and proxy settings, then start again.`;
  }
  const reason = lines.find((line) => line !== '' && !/^(?:code|errno|syscall|path|dest) /.test(line)) ?? '';
  const log = lines.find((line) => line.startsWith('A complete log'))?.replace(/^.*: /, '');
  return `npm could not install the packages (${code}: ${reason})${log ? `; its log is ${log}` : ''}.`;
}

/** Reads the packages of a lockfile. npm records the installed tree in the same format. */
function readLock(/** @type {string} */ path) {
  /** @type {Record<string, { version?: string, dev?: boolean, optional?: boolean }>} */
  const packages = JSON.parse(readFileSync(path, 'utf8')).packages;
  return packages;
}

/**
 * Tells whether the installed packages of a folder match its lockfile.
 * @param {string} folder
 * @param {ReturnType<typeof readLock>} installed
 * @param {boolean} dev
 */
function matchesLock(folder, installed, dev) {
  return Object.entries(readLock(join(folder, 'package-lock.json'))).every(
    ([name, entry]) =>
      name === '' || entry.optional || (entry.dev && !dev) || installed[name]?.version === entry.version,
  );
}

/** Finds or installs a Chromium and the fonts. */
export function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) fail(`CHROMIUM_PATH: the file ${named} does not exist.`);
  const isMissing = !named && !findChromium();
  // The fonts are installed separately, because Ubuntu has packages of the fonts but not of the browser.
  if (isMissing && canInstall()) aptInstall(BROWSER_PACKAGES);
  if (!hasFonts() && canInstall()) aptInstall(FONT_PACKAGES);
  if (isMissing && !findChromium()) {
    const reason = downloadBrowser();
    if (!findChromium())
      fail(
        `Chromium was not found and could not be downloaded (${reason}); install Chromium, Google Chrome or Debian's chromium-headless-shell, or set CHROMIUM_PATH to an executable.`,
      );
  }
  if (!hasFonts()) {
    say(`fonts are missing, so some text will be blank; install ${FONT_PACKAGES.join(' ')}`);
  }
}

/**
 * Installs the browser, the fonts and the init process of the image. Exits with a message on failure. Needs
 * root and apt-get.
 */
export function installImagePackages() {
  const excludes = IMAGE_EXCLUDES.map((pattern) => `path-exclude=${pattern}\n`);
  writeFileSync('/etc/dpkg/dpkg.cfg.d/platen', excludes.join(''));
  const office = process.env.WITH_OFFICE === '1' ? OFFICE_PACKAGES : [];
  aptInstall([...BROWSER_PACKAGES, ...FONT_PACKAGES, ...IMAGE_PACKAGES, ...office]);
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

/**
 * Installs LibreOffice if it is missing and this is possible. Without it, office documents cannot be
 * converted.
 */
export function ensureOffice() {
  if (hasCommand('soffice') && hasCommand('bwrap')) return;
  if (canInstall()) aptInstall(OFFICE_PACKAGES);
  if (!hasCommand('soffice'))
    say(
      `LibreOffice is missing, so office documents cannot be converted; install ${OFFICE_PACKAGES.join(' ')}`,
    );
}

/** Installs PHP for the tests of generated clients if possible; without it, a test is skipped. */
export function ensurePhp() {
  const isInstalled = hasCommand('php') && existsSync('/usr/share/php/GuzzleHttp/autoload.php');
  if (!isInstalled && canInstall()) aptInstall(PHP_PACKAGES);
}

function canInstall() {
  return process.getuid?.() === 0 && hasCommand('apt-get');
}

function aptInstall(/** @type {string[]} */ packages) {
  say(`installing ${packages.join(', ')} (apt-get); this takes a minute or two`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const apt = spawnSync('apt-get', ['-q', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (apt.status === 0) continue;
    const [, reason = 'it failed'] = /^[EW]: (.*)$/m.exec(apt.stderr) ?? [];
    say(`apt-get could not install ${packages.join(', ')}: ${reason}`);
    return;
  }
}

/**
 * Downloads Playwright's build of the headless shell, for machines without Debian packages or without root.
 * As root, also installs the libraries that it needs. Returns the reason for the case that it failed.
 */
function downloadBrowser() {
  say('downloading a headless Chromium (playwright); this takes a minute');
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  const args = ['install', ...(canInstall() ? ['--with-deps'] : []), 'chromium-headless-shell'];
  const download = spawnSync(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
  });
  const [, reason = 'the download failed'] =
    /^(?:Error: )?(.*\b(?:E[A-Z]{4,}|status code).*)$/m.exec(download.stderr) ?? [];
  return reason.trim();
}

/**
 * Bundles the studio, unless the bundle is newer than everything it is made from. Without a bundle, the
 * service runs without the studio.
 */
export function ensureStudio() {
  const script = join(root, 'scripts', 'build-studio.ts');
  if (!existsSync(script) || !existsSync(join(root, 'plugins', 'studio', 'app'))) return;
  if (!isStudioStale()) return;
  say('bundling the studio; this takes a few seconds');
  const build = spawnSync(bun, ['--no-install', script], { cwd: root, encoding: 'utf8' });
  if (build.status !== 0)
    say(
      `the studio could not be bundled, so the service starts without it: ${build.stderr.trim().slice(-500)}`,
    );
}

/**
 * Tells whether a file or folder that the bundle of the studio was made from is newer than the bundle, or
 * gone. `changedAt` returns the time of its change.
 */
export function isStudioStale(
  /** @type {(path: string) => number | undefined} */ changedAt = (path) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs,
) {
  const dist = join('plugins', 'studio', 'dist');
  const builtAt = changedAt(join(dist, 'index.html'));
  const list = join(root, dist, 'inputs.json');
  if (builtAt === undefined || !existsSync(list)) return true;
  /** @type {string[]} */
  const inputs = JSON.parse(readFileSync(list, 'utf8'));
  return ['package-lock.json', ...inputs].some((path) => (changedAt(path) ?? Infinity) > builtAt);
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
