import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { filesOf } from '../scripts/test-suites.mjs';
import { exportsOf, frontDoors, hasDocstring } from './support/front-doors.ts';
import { findLongSleeps } from './support/sleeps.ts';
import { core, guideForPlugins, outsidePlugins, packages, plugins, root } from './support/source-files.ts';

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

  const testFiles = ['tests', 'packages', 'src', 'plugins', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );

  test('every test file belongs to a suite, which its suffix names if it does not run in npm test', () => {
    const suites = {
      default: filesOf('default'),
      servers: filesOf('servers'),
      thorough: filesOf('thorough'),
      timing: filesOf('timing'),
    };
    const suffixOf = (file: string) => /\.(\w+)\.test\.ts$/.exec(file)?.[1] ?? 'default';
    for (const file of testFiles) {
      const suffix = suffixOf(file);
      expect(Object.keys(suites), file).toContain(suffix);
      expect(suites[suffix as keyof typeof suites], file).toContain(file);
      expect(suites.default.includes(file), file).toBe(suffix === 'default');
    }
    expect(suites.servers.length).toBeGreaterThan(100);
    expect(suites.thorough.length).toBeGreaterThan(50);
  });

  test('a test file that chooses its tests by suite runs in that suite', () => {
    const namesSuite = (file: string, names: RegExp) => names.test(readFileSync(join(root, file), 'utf8'));
    const others = testFiles.filter((file) => file !== 'tests/repository.test.ts');
    const [inThorough, inServers] = [filesOf('thorough'), filesOf('servers')];
    const thorough = others.filter((file) =>
      namesSuite(file, /isThorough|isBeyondNpmTest|casesOfSuite|'thorough'/),
    );
    expect(thorough.length).toBeGreaterThan(20);
    expect(thorough.filter((file) => !inThorough.includes(file))).toEqual([]);
    const servers = others.filter((file) => namesSuite(file, /onMongoAndS3|job-deployment|'servers'/));
    expect(servers.length).toBeGreaterThan(20);
    expect(servers.filter((file) => !inServers.includes(file))).toEqual([]);
  });

  test('only plugin.ts has a default export', () => {
    const offences = [...core, ...plugins, ...packages].filter(
      ({ path, text }) => /^export default/m.test(text) && !path.endsWith('/plugin.ts'),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  test('the code of the guide for plugins is that of plugins that the tests load', () => {
    // An excerpt has other line breaks than the indented code.
    const unformatted = (code: string) => code.replaceAll(/\s+|,(?=\s*[)\]}])/g, '');
    const loaded = outsidePlugins.map(({ text }) => unformatted(text));
    const blocks = [...guideForPlugins.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(4);
    expect(blocks.filter((block) => !loaded.some((text) => text.includes(unformatted(block))))).toEqual([]);
  });

  test('every export of a front door has a docstring', () => {
    expect(frontDoors.length).toBeGreaterThan(30);
    const names = frontDoors.flatMap(exportsOf);
    expect(names.length).toBeGreaterThan(500);
    const bare = names.filter((name) => !hasDocstring(name)).map(({ file, name }) => `${file}: ${name}`);
    expect([...new Set(bare)]).toEqual([]);
  });

  test('comments have at most 110 columns, like the code', () => {
    const long = [...core, ...plugins, ...packages].flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.length > 110 && /^\s*(?:\/?\*+(?:[ /]|$)|\/\/(?! oxlint-))/.test(line))
        .map((line) => `${path}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  test('the architecture page names only files that exist', () => {
    const page = readFileSync(join(root, 'docs', 'internals', 'architecture.md'), 'utf8');
    const folders = readdirSync(root).filter((name) => !name.startsWith('.'));
    const named = [...page.matchAll(/`([\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.includes('/') && folders.includes(path.split('/')[0] ?? ''));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('a long sleep is found by its duration, even if it is computed', () => {
    const longSleeps = [
      'await Bun.sleep(100)',
      'await Bun.sleep(LEASE_MS)',
      'await Bun.sleep(SHORT_MS * 2)',
      'await sleep(ms)',
      'setTimeout(resolve, 1_000)',
      'setTimeout(() => socket.end(), QUIET_MS)',
    ];
    const others = [
      'await Bun.sleep(99)',
      'await Bun.sleep(SHORT_MS)',
      'setTimeout(resolve)',
      "'Bun.sleep(100)'",
    ];
    const linesOf = (text: string) => findLongSleeps(`const SHORT_MS = 5;\n${text}`);
    for (const text of longSleeps) expect(linesOf(text), text).toEqual([{ line: 2, hasReason: false }]);
    for (const text of others) expect(linesOf(text), text).toEqual([]);
    const explained = linesOf('// Real time: the lease expires.\nawait Bun.sleep(100)');
    expect(explained).toEqual([{ line: 3, hasReason: true }]);
  });

  // A test may sleep for 100 ms or more only if the passage of real time is its subject. The line above the
  // sleep then says why: `// Real time: the leases of the suspended process expire.`
  test('tests wait for conditions, not for times', () => {
    const files = [...new Bun.Glob('{src,packages,plugins,tests}/**/*.{ts,tsx}').scanSync(root)].filter(
      (file) =>
        !file.includes('node_modules') && (/\.test\.tsx?$/.test(file) || /(?:^|\/)tests\//.test(file)),
    );
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      if (!/\bsleep\(|\bsetTimeout\(/.test(text)) return [];
      return findLongSleeps(text).map(({ line, hasReason }) => ({ location: `${file}:${line}`, hasReason }));
    });
    expect(found.filter(({ hasReason }) => !hasReason).map(({ location }) => location)).toEqual([]);
    // Think of a condition before you raise this number.
    expect(found.length).toBeLessThanOrEqual(19);
  });

  test('every release in CHANGELOG.md has at most 150 lines', () => {
    const [, ...releases] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## \[)/m);
    expect(releases.length).toBeGreaterThan(1);
    const long = releases.filter((release) => release.trimEnd().split('\n').length > 150);
    expect(long.map((release) => release.split('\n', 1)[0])).toEqual([]);
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

  test('names that the glossary has retired do not come back', () => {
    const retired = [
      /^(?:Job|Key)Claims|^Claim(?:Body|Link)$|^DELETION_CLAIM_MS$/,
      /[a-z]Answers?$|^Answers?$/,
      /[pP]roblems?(?:Of)?$/,
      /^(?:Signature|Describe|Check|Export|Documentation|ProcessorWatch)Parts$/,
    ];
    const found = [...core, ...plugins, ...packages].flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:class|interface|type|function|const|let) (\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => retired.some((pattern) => pattern.test(name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test('no file has a vague name', () => {
    const vague = [...core, ...plugins, ...packages].filter(({ path }) =>
      /(utils?|helpers?|manager|common|misc)\.ts$/.test(path),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });
});
