import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8');

/** Paths of source and test files that the page names. */
const named = [...page.matchAll(/`((?:src|plugins|packages|tests|deploy)\/[^`]+\.\w+)`/g)].map(
  ([, path = '']) => path,
);

test('the threat model names tests, and every file that it names is there', () => {
  expect(named.filter((path) => path.endsWith('.test.ts')).length).toBeGreaterThan(40);
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every test of security is named by the threat model', () => {
  const tests = [...new Bun.Glob('tests/security/*.test.ts').scanSync(root)];
  const own = 'tests/security/documentation.test.ts';
  expect(tests.filter((path) => path !== own && !named.includes(path))).toEqual([]);
});

test('links from the page and from SECURITY.md lead to files', () => {
  for (const path of ['docs/security.md', 'SECURITY.md']) {
    const text = readFileSync(join(root, path), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  }
});
