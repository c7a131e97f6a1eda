import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { FORMAT_NAMES } from '../../../src/plugin.ts';

test.each(FORMAT_NAMES)('the README lists the format %s', (name) => {
  const readme = readFileSync(new URL('../../../docs/generate.md', import.meta.url), 'utf8');
  expect(readme).toMatch(new RegExp(`^\\| \`format\` .*\`${name}\``, 'm'));
});
