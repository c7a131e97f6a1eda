import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
const file = join(folder, 'platen.config.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string) {
  writeFileSync(file, text);
  return loadConfig({ env: {}, cwd: folder });
}

describe('a syntax error in platen.config.json', () => {
  test.each([
    ['', 'line 1, column 1'],
    ['{\n  "plugins": {\n    "ai": flase\n  }\n}', 'line 3, column 11'],
    ['{\r\n  "plugins": {},\r\n}', 'line 3, column 1'],
    ['{"plans" {}}', 'line 1, column 10'],
    ['{"plans": {"free": {"concurrency": 2}\n  "pro": {}}}', 'line 2, column 3'],
    ["{\n  'plans': {}\n}", 'line 2, column 3'],
    ['// settings\n{}', 'line 1, column 1'],
    ['{} {}', 'line 1, column 4'],
    ['{"plans": {}', 'line 1, column 13'],
    ['{"webhooks": "é\u{1f600}", "x": tru}', 'line 1, column 25'],
    ['{"plans": "secret\nvalue"}', 'line 1, column 11'],
  ])('is one sentence with line and column: %j', (text, where) => {
    expect(() => load(text)).toThrow(`${file} is not JSON: ${where}: `);
    expect(() => load(text)).not.toThrow(/\n|secret|flase/);
  });

  test('is not caused by a byte order mark', () => {
    expect(load('\uFEFF{"plugins": {"ai": false}}').plugins).toEqual({ ai: false });
  });
});
