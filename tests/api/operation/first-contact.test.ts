import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServiceProcess } from '../../support/service/process.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';

const root = dirname(dirname(dirname(import.meta.dir)));
const shared = sharedService();
const node = Bun.which('node') ?? 'node';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program to its end with only the given environment. */
async function run(
  command: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...command], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: stdout + stderr };
}

/** Creates a folder for PATH that contains only links to the given programs. */
async function makePath(names: readonly string[]): Promise<string> {
  const path = await mkdtemp(join(folder, 'bin-'));
  for (const name of names) await symlink(Bun.which(name) ?? name, join(path, name));
  return path;
}

/** The files that run before the packages are installed. */
const SETUP = ['scripts', 'plugins/render/browser/find-chromium.mjs'];

describe('npm start without', () => {
  test.if(isThorough)(
    'the npm registry says so in one sentence',
    async () => {
      const clone = join(folder, 'clone');
      await mkdir(clone);
      for (const name of ['package.json', 'package-lock.json', '.npmrc', ...SETUP])
        await cp(join(root, name), join(clone, name), { recursive: true });
      const { code, output } = await run([node, 'scripts/platen.mjs', 'serve'], {
        cwd: clone,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          npm_config_registry: 'http://127.0.0.1:1',
          npm_config_cache: join(folder, 'npm-cache'),
          npm_config_fetch_retries: '0',
        },
      });
      expect(code).toBe(1);
      const [first, second, ...rest] = output.trimEnd().split('\n');
      expect(first).toStartWith('platen setup: installing the packages');
      expect(second).toMatch(
        /^platen: the npm registry http:\/\/127\.0\.0\.1:1\/? cannot be reached \(ECONNREFUSED\); check /,
      );
      expect(rest).toEqual([]);
    },
    120_000,
  );

  test('npm says so in one sentence', async () => {
    const clone = join(folder, 'clone-without-npm');
    await mkdir(clone);
    for (const name of SETUP) await cp(join(root, name), join(clone, name), { recursive: true });
    const { code, output } = await run([node, 'scripts/platen.mjs', 'serve'], {
      cwd: clone,
      env: { PATH: await makePath(['node']), HOME: folder },
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^platen: npm, which installs the packages, cannot be run \(.*ENOENT.*\)\.$/m);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test.if(isThorough)(
    'Chromium and the network names both, and the package to install',
    async () => {
      const { code, output } = await run([node, join(root, 'scripts/platen.mjs'), 'serve'], {
        cwd: folder,
        env: {
          PATH: await makePath(['node']),
          HOME: folder,
          PLAYWRIGHT_BROWSERS_PATH: join(folder, 'browsers'),
          PLAYWRIGHT_DOWNLOAD_HOST: 'http://127.0.0.1:1',
        },
      });
      expect(code).toBe(1);
      const lines = output.trimEnd().split('\n');
      expect(lines.at(-1)).toMatch(
        /^platen: Chromium was not found and could not be downloaded \(connect ECONNREFUSED 127\.0\.0\.1:1\); install .* or set CHROMIUM_PATH/,
      );
      for (const line of lines) expect(line).toMatch(/^platen( setup)?: /);
    },
    60_000,
  );
});

test('the service without Chromium says so in one sentence', async () => {
  const dataDir = join(folder, 'no-chromium');
  const command = [process.execPath, '--no-install', '--no-env-file', join(root, 'src', 'cli.ts'), 'serve'];
  const { code, output } = await run(command, {
    cwd: folder,
    env: {
      PATH: await makePath(['node']),
      HOME: folder,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
    },
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^platen: CHROMIUM_PATH: Chromium was not found[^\n]*\n$/);
});

// The output and the end of Chromium 156 on Ubuntu 24.04: without a profile, and under a profile without
// `userns`.
const kernels: [string, string, string][] = [
  [
    'has no capabilities',
    '[1122/211945.444540:ERROR:content/browser/zygote_host/zygote_host_impl_linux.cc:130] No usable sandbox! If this is a Debian system, please install the chromium-sandbox package to solve this problem.',
    'exit 1',
  ],
  [
    'is refused',
    '[1122/213526.697022:FATAL:sandbox/linux/services/credentials.cc:137] Check failed: . : Permission denied (13)',
    'kill -TRAP $$',
  ],
];
test.if(isThorough).each(kernels)(
  "the service names the AppArmor profile in one sentence if Chromium's user namespace %s",
  async (reason, message, end) => {
    const browser = join(folder, `chrome-${reason.replaceAll(' ', '-')}`);
    await writeFile(browser, `#!/bin/sh\necho '${message}' >&2\n${end}\n`, { mode: 0o755 });
    const command = [process.execPath, '--no-install', '--no-env-file', join(root, 'src', 'cli.ts'), 'serve'];
    const { PATH = '' } = process.env;
    const { code, output } = await run(command, {
      cwd: folder,
      env: {
        PATH,
        HOME: folder,
        CHROMIUM_PATH: browser,
        DATA_DIR: join(folder, 'no-sandbox'),
        PORT: '0',
        LOG_LEVEL: 'error',
      },
    });
    expect(code).toBe(1);
    expect(output).toStartWith(`platen: CHROMIUM_PATH: ${browser} has no usable sandbox because `);
    expect(output).toMatch(/^[^\n]* load the AppArmor profile deploy\/apparmor-chromium, [^\n.]*\.md\n$/);
  },
);

test('an .env file in the current folder is not read', async () => {
  const cwd = join(folder, 'with-env');
  await mkdir(cwd);
  await writeFile(join(cwd, '.env'), 'DATA_DIR=./from-env\nPLATEN_SECRET=short\n');
  const { PATH = '' } = process.env;
  const { code } = await run([node, join(root, 'scripts/platen.mjs'), 'accounts', 'list'], {
    cwd,
    env: { PATH, HOME: folder },
  });
  expect(code).toBe(0);
  expect(existsSync(join(cwd, 'data', 'platen.sqlite'))).toBe(true);
  expect(existsSync(join(cwd, 'from-env'))).toBe(false);
  const [shebang] = (await readFile(join(root, 'src', 'cli.ts'), 'utf8')).split('\n');
  expect(shebang).toBe('#!/usr/bin/env -S bun --no-install --no-env-file');
});

describe('the start', () => {
  test.if(isThorough)(
    'says how to create another key, warns of links without PUBLIC_URL, and logs lines or JSON',
    async () => {
      const env = { DATA_DIR: join(folder, 'data') };
      for (const isFirst of [true, false]) {
        const service = new ServiceProcess({
          ...env,
          ...(isFirst && { HOST: '0.0.0.0', LOG_FORMAT: 'pretty' }),
        });
        const url = await service.ready();
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        service.kill('SIGTERM');
        expect(await service.exited).toBe(0);
        expect(service.stdout.includes('Your first API key')).toBe(isFirst);
        expect(service.stdout).toContain(`Its data is in ${env.DATA_DIR}; DATA_DIR sets another folder.\n`);
        expect(service.stdout).toContain(
          'To create another API key: platen keys create --email you@example.com\n',
        );
        if (isFirst) {
          expect(service.stderr).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}PUBLIC_URL is not set: /m);
          expect(service.stderr).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}ready url=http/m);
        } else {
          // Standard error is not a terminal.
          const lines = service.stderr.trimEnd().split('\n');
          expect(lines.map((line) => JSON.parse(line).msg)).toContain('ready');
          expect(service.stderr).not.toContain('PUBLIC_URL');
        }
      }
    },
  );
});

test.skipIf(!Bun.which('curl'))(
  'the README is short, and its curl command makes a PDF when pasted',
  async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    expect(readme.split('\n').length).toBeLessThanOrEqual(101);
    const [, block = ''] = /```sh\n(export PLATEN_URL=[^`]+)```/.exec(readme) ?? [];
    const service = shared();
    const script = block
      .replace(/PLATEN_API_KEY=\S+/, `PLATEN_API_KEY=${service.key}`)
      .replace('http://127.0.0.1:3000', service.url);
    expect(script).toContain(`PLATEN_URL=${service.url} `);
    const { PATH = '' } = process.env;
    expect(await run(['sh', '-c', script], { cwd: folder, env: { PATH } })).toEqual({ code: 0, output: '' });
    expect(await readFile(join(folder, 'hello.pdf'), 'latin1')).toStartWith('%PDF-');
  },
  60_000,
);
