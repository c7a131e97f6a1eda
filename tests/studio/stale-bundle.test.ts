import { beforeAll, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureStudio, isStudioStale, root } from '../../scripts/setup.mjs';

/** Lists the files of a folder whose names match. */
const list = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** Modules without code, which leave no trace in the bundle. */
const ONLY_TYPES = ['data/types.ts', 'view-props.ts', 'editor/note.ts'];

const now = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;

beforeAll(() => ensureStudio());

test('the studio is bundled again when any file or folder that the bundle is made from changes', () => {
  expect(isStudioStale()).toBe(false);
  const app = 'plugins/studio/app';
  const sources = [
    ...list(app, /\.(?:tsx?|css|html|woff2)$/),
    ...list('packages/templates/helpers', /\.ts$/),
    ...list('docs/starters', /\.png$/),
    'docs/starters',
    `${app}/fonts`,
    'scripts/build-studio.ts',
    'package-lock.json',
  ];
  expect(sources.length).toBeGreaterThan(150);
  const unwatched = sources.filter(
    (changed) => !isStudioStale((path) => (path === changed ? Date.now() + 60_000 : now(path))),
  );
  const isTypesOnly = (path: string) => ONLY_TYPES.includes(relative(app, path));
  expect(unwatched.filter((path) => !isTypesOnly(path))).toEqual([]);
});

test('the studio is bundled again when a file that the bundle is made from is gone', () => {
  expect(isStudioStale((path) => (path.endsWith('helper-table.ts') ? undefined : now(path)))).toBe(true);
  expect(isStudioStale((path) => (path.endsWith('dist/index.html') ? undefined : now(path)))).toBe(true);
});
