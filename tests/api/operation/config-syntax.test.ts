import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen } from '../../support/service/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a syntax error in platen.config.json ends every command with one line and without a stack', async () => {
  const text = '{\n  "plugins": {\n    "render": { "concurrency": 2, }\n  }\n}';
  writeFileSync(join(folder, 'platen.config.json'), text);
  for (const command of [['serve'], ['accounts', 'list']]) {
    const { code, stdout, stderr } = await platen(command, { DATA_DIR: folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^\S*platen: [^\n]*platen\.config\.json is not JSON: line 3, column 35: [^\n]*\n$/,
    );
  }
});
