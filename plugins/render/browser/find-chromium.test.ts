import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findChromium } from './find-chromium.mjs';

const { PATH, PLAYWRIGHT_BROWSERS_PATH } = process.env;
let machine = '';
beforeAll(() => {
  machine = mkdtempSync(join(tmpdir(), 'platen-test-'));
  process.env['PATH'] = join(machine, 'bin');
  delete process.env['PLAYWRIGHT_BROWSERS_PATH'];
});
afterAll(() => {
  process.env['PATH'] = PATH;
  if (PLAYWRIGHT_BROWSERS_PATH !== undefined)
    process.env['PLAYWRIGHT_BROWSERS_PATH'] = PLAYWRIGHT_BROWSERS_PATH;
  rmSync(machine, { recursive: true });
});

test.each([
  ['an application of all users', 'darwin', 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  ['an application of the user', 'darwin', 'home/Applications/Chromium.app/Contents/MacOS/Chromium'],
  [
    "Playwright's download on macOS",
    'darwin',
    'home/Library/Caches/ms-playwright/chromium_headless_shell-1/mac/headless_shell',
  ],
  [
    "Playwright's download on Linux",
    'linux',
    'home/.cache/ms-playwright/chromium_headless_shell-1/linux/headless_shell',
  ],
  ['a program on the PATH', 'linux', 'bin/google-chrome'],
])('%s is found', (_name, platform, file) => {
  const path = join(machine, file);
  const options = { platform, home: join(machine, 'home'), applications: join(machine, 'Applications') };
  const before = findChromium(options);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  expect(before).not.toBe(path);
  expect(findChromium(options)).toBe(path);
  rmSync(join(machine, file.split('/')[0] ?? ''), { recursive: true });
});
