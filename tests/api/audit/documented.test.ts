import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { core, plugins } from '../../support/source-files.ts';

const guide = readFileSync(join(import.meta.dir, '../../../docs/audit.md'), 'utf8');

test('docs/audit.md lists every action that the routes and commands record', () => {
  const code = [...core, ...plugins].map(({ text }) => text).join('\n');
  const declared = [...code.matchAll(/\b(?:audit|action): (?:rotate \? )?'([a-z_]+\.[a-z_]+)'/g)];
  const actions = new Set(declared.map(([, action = '']) => action));
  expect(actions.size).toBeGreaterThan(25);
  expect([...actions].filter((action) => !guide.includes(`\`${action}\``))).toEqual([]);
});
