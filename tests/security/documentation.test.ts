import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8');

/** Paths of source and test files that the page mentions. */
const mentioned = [...page.matchAll(/`((?:src|plugins|packages|tests|deploy)\/[^`]+\.\w+)`/g)].map(
  ([, path = '']) => path,
);

test('the threat model mentions tests, and every file it mentions exists', () => {
  expect(mentioned.filter((path) => path.endsWith('.test.ts')).length).toBeGreaterThan(40);
  expect([...new Set(mentioned)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the threat model mentions every security test', () => {
  const tests = [...new Bun.Glob('tests/security/*.test.ts').scanSync(root)];
  const thisFile = 'tests/security/documentation.test.ts';
  expect(tests.filter((path) => path !== thisFile && !mentioned.includes(path))).toEqual([]);
});

test('links in docs/security.md and SECURITY.md lead to existing files', () => {
  for (const path of ['docs/security.md', 'SECURITY.md']) {
    const text = readFileSync(join(root, path), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  }
});
