import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { readSource } from '../../src/commands/browser-check/sources.ts';
import { connectToOwn } from '../../src/commands/service/connect.ts';
import { platen } from '../support/service/process.ts';
import { sharedService } from '../support/service/shared-service.ts';

setDefaultTimeout(120_000);
const service = sharedService();
const root = mkdtempSync(join(tmpdir(), 'platen-browsers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    await Bun.write(join(root, name), content);
  }
}

/** Writes a program that starts this machine's browser with more flags, as another browser would print. */
async function browserWith(name: string, flags: string): Promise<string> {
  const path = process.env['CHROMIUM_PATH'] ?? findChromium();
  await write({ [name]: `#!/bin/sh\nexec '${path}' "$@" ${flags}\n` });
  chmodSync(join(root, name), 0o755);
  return join(root, name);
}

const check = (args: string[], env: Record<string, string> = {}) =>
  platen(['templates', 'check', ...args, '--output', join(root, 'results')], env);

describe('platen templates check', () => {
  test('lists the cases whose pages another browser changes, with pictures', async () => {
    await write({
      'templates/invoice/template.html': '<p style="font: 9px sans-serif">{{> mark}} Invoice {{number}}</p>',
      'templates/invoice/cases/long.json': '{"data": {"number": "2026-118"}}',
      'templates/invoice/cases/long.pdf': 'pages that were accepted earlier do not matter',
      'templates/mark/template.html': '<b>Fellside</b>',
      'templates/mark/template.json': '{"name": "mark", "partial": true}',
      'templates/poster/template.html': '<h1 style="font: 40px sans-serif">{{text}}</h1>',
      'templates/poster/sample.json': '{"text": "Sale"}',
      'templates/broken/template.html': '<p>{{#if}}</p>',
      'results/invoice/long/page-7-diff.png': 'of an earlier run',
    });
    const chromium = await browserWith('larger', '--blink-settings=minimumFontSize=20');
    const { code, stdout } = await check([join(root, 'templates'), '--chromium', chromium]);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^Chromium ([\d.]+) is the present browser, \1 the other one\.$/);
    expect(lines[1]).toMatch(/^broken\/sample: failed: with Chromium [\d.]+, the present one: .*line 1/);
    expect(lines[2]).toMatch(/^invoice\/long: different: page 1 \(\d+\.\d %\); page 1: .*Fellside Invoice/);
    const pictures = ['page-1.png', 'page-1-accepted.png', 'page-1-diff.png'];
    expect(lines.slice(3, 6)).toEqual(
      pictures.map((name) => `  ${join(root, 'results/invoice/long', name)}`),
    );
    expect(lines.slice(6)).toEqual(['poster/sample: equal', '3 cases: 1 failed, 1 different, 1 equal']);
    expect(readdirSync(join(root, 'results/invoice/long')).toSorted()).toEqual(pictures.toSorted());
    const widthOf = (name: string) =>
      PNG.sync.read(readFileSync(join(root, 'results/invoice/long', name))).width;
    for (const name of pictures) expect(widthOf(name)).toBeGreaterThan(100);
    expect(existsSync(join(root, 'templates/poster/cases'))).toBe(false);
  });

  test('finds no change with the same browser, in the templates of a service with its assets', async () => {
    const key = await service().newKey();
    const asset = { name: 'brand.css', data: Buffer.from('p { color: red }').toString('base64') };
    expect((await service().post('/v1/assets', asset, key)).status).toBe(201);
    const template = {
      name: 'Letter',
      html_content: '<link rel="stylesheet" href="asset:brand.css"><p>Dear {{name}}</p>',
      sample_data: { name: 'Ann' },
      options: { strict: true },
    };
    expect((await service().post('/v1/templates', template, key)).status).toBe(201);
    const same = await browserWith('same', '');
    const { code, stdout } = await check(['--json', '--chromium', same], {
      PLATEN_URL: service().url,
      PLATEN_API_KEY: key,
    });
    const version = expect.stringMatching(/^\d+\.[\d.]+$/);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        chromium: { present: version, other: version },
        passed: true,
        cases: [
          {
            template: 'letter',
            name: 'sample',
            status: 'equal',
            pages: [{ page: 1, equal: true, changed_fraction: 0 }],
            layout: [],
            pictures: [],
          },
        ],
        warnings: [],
      },
    ]);
    expect((await service().get('/v1/templates', key)).body.data).toHaveLength(1);
  });

  test('explains a program that is not a browser, and arguments that contradict each other', async () => {
    await write({ 'no-browser': '#!/bin/sh\nexit 1\n' });
    chmodSync(join(root, 'no-browser'), 0o755);
    const [missing, none, both, unnamed] = await Promise.all([
      check(['--chromium', join(root, 'nowhere')]),
      check(['--chromium', join(root, 'no-browser'), '--json']),
      check([root, '--starters', '--chromium', '/bin/sh']),
      check([root]),
    ]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('nowhere is not a file')]);
    expect(none.code).toBe(2);
    expect(JSON.parse(none.stdout).error.message).toEndWith(
      `--chromium: ${join(root, 'no-browser')} does not start as a browser`,
    );
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('leave out the folder')]);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--chromium <path>')]);
  });

  test('reads each starter with its cases', async () => {
    await using client = (await connectToOwn({ withStarters: true })).client;
    const templates = await readSource({ kind: 'starters', client }, join(root, 'starters'));
    const [first] = templates;
    expect(templates.length).toBeGreaterThan(20);
    expect(first?.label).toBe('certificate');
    for (const { state } of templates)
      expect([...state.cases.keys()].toSorted()).toEqual(['hard', 'typical']);
  });
});
