import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { FORMAT_NAMES } from '../../documents/exports.ts';

test.each(FORMAT_NAMES)('the README lists the format %s', (name) => {
  const readme = readFileSync(new URL('../../../docs/options.md', import.meta.url), 'utf8');
  expect(readme).toMatch(new RegExp(`^\\| \`format\` .*\`${name}\``, 'm'));
});
