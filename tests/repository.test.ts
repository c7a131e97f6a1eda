import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { filesOf, TEST_SUITES } from '../scripts/test-suites.mjs';
import { core, packages, plugins, root } from './support/source-files.ts';

describe('repository', () => {
  test('every built-in plugin has a folder with its name, plugin.ts and a README', async () => {
    for (const [name, load] of Object.entries(builtInPlugins)) {
      const { default: plugin } = (await load()) as { default: { name: string } };
      expect(plugin.name).toBe(name);
      const files = readdirSync(join(root, 'plugins', name));
      expect(files).toContain('plugin.ts');
      expect(files).toContain('README.md');
    }
  });

  test('every test file belongs to a suite, and the lists of suites name files that exist', () => {
    const everywhere = ['tests', 'packages', 'src', 'plugins', 'bench', 'scripts'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join(folder, name)),
    );
    const defaultFiles = filesOf('default');
    const suites = [defaultFiles, filesOf('servers'), filesOf('thorough')];
    expect(everywhere.filter((file) => !suites.some((files) => files.includes(file)))).toEqual([]);
    const { servers, thorough } = TEST_SUITES;
    const alone = [...servers.alone, ...thorough.alone];
    expect(alone.filter((file) => defaultFiles.includes(file))).toEqual([]);
    expect(new Set(alone).size).toBe(alone.length);
    const entries = [...alone, ...servers.also, ...thorough.also];
    expect(entries.filter((entry) => !everywhere.some((file) => file.startsWith(entry)))).toEqual([]);
  });

  test('a test file chooses its tests by suite if and only if it runs in several suites', () => {
    const { servers, thorough } = TEST_SUITES;
    const files = [...servers.also, ...thorough.also].filter((entry) => !entry.endsWith('/'));
    const choosing = (file: string) =>
      /support\/(?:suite|job-deployment)\.ts'|process\.env\['TEST_SUITE'\]/.test(
        readFileSync(join(root, file), 'utf8'),
      );
    expect(files.filter((file) => !choosing(file))).toEqual([]);
    const thoroughFiles: readonly string[] = [...thorough.alone, ...thorough.also];
    const withThoroughTests = [...new Bun.Glob('{src,packages,plugins,tests}/**/*.test.ts').scanSync(root)]
      .filter((file) => file !== 'tests/repository.test.ts')
      .filter((file) => /isThorough|casesOfSuite/.test(readFileSync(join(root, file), 'utf8')));
    expect(withThoroughTests.filter((file) => !thoroughFiles.includes(file))).toEqual([]);
  });

  test('only plugin.ts has a default export', () => {
    const offences = [...core, ...plugins, ...packages].filter(
      ({ path, text }) => /^export default/m.test(text) && !path.endsWith('/plugin.ts'),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  test('every export has a docstring', () => {
    const bare = [...core, ...plugins, ...packages].flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(\n[^\n]*)\nexport (?:async )?(?:function|class|interface|type|const|abstract class) (\w+)/g,
        ),
      ]
        .filter(([, before]) => !/\*\/\s*$|oxlint-disable/.test(before ?? ''))
        .map(([, , name]) => `${path}: ${name}`),
    );
    expect(bare).toEqual([]);
  });

  test('docs/architecture.md names only files that exist', () => {
    const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
    const folders = readdirSync(root).filter((name) => !name.startsWith('.'));
    const named = [...page.matchAll(/`([\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.includes('/') && folders.includes(path.split('/')[0] ?? ''));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('no Markdown file has merge conflict markers', () => {
    const folders = ['.', 'docs', 'packages', 'plugins', 'starters'];
    const pages = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name)),
    );
    expect(pages.length).toBeGreaterThan(20);
    const marked = pages.filter((page) =>
      /^(<<<<<<< |(> ){6}>|>>>>>>> )/m.test(readFileSync(join(root, page), 'utf8')),
    );
    expect(marked).toEqual([]);
  });

  test('no file has a vague name', () => {
    const vague = [...core, ...plugins, ...packages].filter(({ path }) =>
      /(utils?|helpers?|manager|common|misc)\.ts$/.test(path),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });
});
