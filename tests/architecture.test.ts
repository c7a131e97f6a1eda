import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { filesOf, TEST_SUITES } from '../scripts/test-suites.mjs';

const root = dirname(import.meta.dir);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

interface SourceFile {
  /** Path from the root, with forward slashes. */
  path: string;
  text: string;
  /** Relative imports as paths from the root; package imports unchanged. */
  imports: string[];
}

function sources(folder: string, isSource = (name: string) => !name.endsWith('.test.ts')): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && isSource(name))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(
        ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '',
      );
      return {
        path,
        text,
        imports: imports.map((specifier) =>
          specifier.startsWith('.') ? join(dirname(path), specifier) : specifier,
        ),
      };
    });
}

/** Lists the imported files that a file loads at run time, with or without dynamic imports. Type imports and `typeof import(...)` load nothing. */
function valueImports(file: SourceFile | undefined, { dynamic: withDynamic = true } = {}): string[] {
  if (!file) return [];
  const text = file.text
    .replaceAll(/\b(?:import|export) type\s[^;]*;/g, '')
    .replaceAll(withDynamic ? /typeof import\([^)]*\)/g : /\bimport\([^)]*\)/g, '');
  return [...text.matchAll(IMPORT)].flatMap(([, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? '';
    const path = name.startsWith('.') ? join(dirname(file.path), name) : packageFiles.get(name);
    return path === undefined ? [] : [path];
  });
}

const core = sources('src');
/** The studio's application runs in browsers. */
const APP = 'plugins/studio/app/';
const everyPlugin = sources('plugins');
const app = everyPlugin.filter(({ path }) => path.startsWith(APP));
const plugins = everyPlugin.filter(({ path }) => !path.startsWith(APP));
const packages = sources('packages');
const packageTests = sources('packages', (name) => name.endsWith('.test.ts'));

/** The files that packages export, by import specifier. */
const packageFiles = new Map(
  readdirSync(join(root, 'packages')).flatMap((folder) => {
    const { name, exports } = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    ) as {
      name: string;
      exports: Record<string, string>;
    };
    return Object.entries(exports).map(
      ([key, file]) => [join(name, key), join('packages', folder, file)] as const,
    );
  }),
);

/** The packages that each package declares in its manifest, by the folder of the package. */
const packageDependencies = new Map(
  readdirSync(join(root, 'packages')).map((folder) => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string> };
    return [join('packages', folder), Object.keys(dependencies)] as const;
  }),
);
const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');
const packageNameOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isTestOfPackage = (path: string) => /^packages\/[^/]+\/tests\//.test(path);
/** Tells whether a specifier names a file of a package that the package does not export. */
const isHiddenFile = (specifier: string) => specifier.startsWith('@platen/') && !packageFiles.has(specifier);

/** Finds cycles in a graph of imports: each is a list of files that ends with its first file. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push([...trail.slice(start), path]);
    if (start !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

describe('boundaries', () => {
  test('source files and their imports are found', () => {
    expect(core.length).toBeGreaterThan(20);
    expect(plugins.find(({ path }) => path === 'plugins/render/plugin.ts')?.imports).toContain(
      'src/plugin.ts',
    );
  });

  test('no files import each other in a cycle, even if only for types', () => {
    const files = [...core, ...plugins, ...app, ...packages];
    const graph = new Map(
      files.map(({ path, imports }) => [path, imports.map((name) => packageFiles.get(name) ?? name)]),
    );
    const edges = [...graph.values()].flat().filter((path) => graph.has(path));
    expect(edges.length).toBeGreaterThan(1_000);
    expect(cyclesOf(graph)).toEqual([]);
  });

  test('plugins import only src/plugin.ts from the core', () => {
    // Plugins merge event types into the module that declares them, without importing it.
    const offences = plugins.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('src/') && name !== 'src/plugin.ts')
        .map((name) => `${path} -> ${name}`),
    );
    expect(offences).toEqual(['plugins/index.ts -> src/registry.ts']);
  });

  test('the service process loads no parser of PDF, HTML, Markdown or Handlebars', () => {
    const files = new Map([...core, ...plugins, ...packages].map((file) => [file.path, file]));
    const reached = new Set<string>();
    const queue = ['src/main.ts', 'src/cli.ts', ...files.keys()].filter((path) =>
      /^src\/(main|cli)\.ts$|^plugins\/[^/]+\/plugin\.ts$/.test(path),
    );
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      queue.push(...valueImports(files.get(path)));
    }
    expect(reached.size).toBeGreaterThan(50);
    const harmless = [
      'packages/pdf-standards/pdfua-repair/described-elements.ts',
      'packages/einvoice/data/shape.ts',
      'packages/einvoice/profiles.ts',
      'packages/einvoice/schema.ts',
      'packages/pdf-standards/levels.ts',
      'packages/pdf/properties/limits.ts',
      'packages/signatures/levels.ts',
      'packages/templates/page-variables.ts',
      'packages/templates/parse-date.ts',
    ];
    expect([...reached].filter((path) => path.startsWith('packages/') && !harmless.includes(path))).toEqual(
      [],
    );
    const parsers = [...reached].filter((path) =>
      /from '(?:parse5|handlebars|markdown-it)'/.test(files.get(path)?.text ?? ''),
    );
    expect(parsers).toEqual([]);
    // Bun has parsers without an import.
    const global =
      /\b(?:HTMLRewriter|DOMParser|WebAssembly|Bun\.(?:Image|JSON5|JSONC|JSONL|TOML|XML|YAML|markdown))\b/;
    expect([...reached].filter((path) => global.test(files.get(path)?.text ?? '')).toSorted()).toEqual([
      // Reads the tags of documents, without building a document; `docs/security.md` names its limits.
      'plugins/render/source/classify.ts',
      // Reads the guides of this project.
      'src/http/guides.ts',
    ]);
  });

  test('the core imports only plugins/index.ts from plugins', () => {
    const offences = core.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('plugins/') && name !== 'plugins/index.ts')
        .map((name) => `${path} -> ${name}`),
    );
    expect(offences).toEqual([]);
    expect(
      core.filter(({ imports }) => imports.includes('plugins/index.ts')).map(({ path }) => path),
    ).toEqual(['src/assembly.ts']);
  });

  test('plugins import only contracts (types) and exports (values) from each other', () => {
    const offences = plugins.flatMap(({ path, imports }) => {
      const own = path.split('/').slice(0, 2).join('/');
      return imports
        .filter(
          (name) =>
            name.startsWith('plugins/') &&
            !name.startsWith(`${own}/`) &&
            !/\/(?:contract|exports)\.ts$/.test(name),
        )
        .filter(() => path !== 'plugins/index.ts')
        .map((name) => `${path} -> ${name}`);
    });
    expect(offences).toEqual([]);
  });

  test('plugins import only from plugins that they require, or types of plugins that they use', async () => {
    const loaded = await Promise.all(Object.values(builtInPlugins).map((load) => load()));
    const declared = new Map(
      loaded.map((module) => {
        const { default: plugin } = module as {
          default: { name: string; requires?: readonly string[]; uses?: readonly string[] };
        };
        return [plugin.name, plugin] as const;
      }),
    );
    const pluginOf = (path: string) => path.split('/')[1] ?? '';
    const imports = plugins
      .filter(({ path }) => path !== 'plugins/index.ts')
      .flatMap((file) => {
        // A plugin that is used may be off: its values are imported with `import()`, after a check that it is on.
        const values = valueImports(file, { dynamic: false });
        return file.imports
          .filter((name) => name.startsWith('plugins/') && pluginOf(name) !== pluginOf(file.path))
          .map((name) => ({ from: file.path, name, isValue: values.includes(name) }));
      });
    expect(imports.filter(({ isValue }) => isValue).length).toBeGreaterThan(10);
    const offences = imports.filter(({ from, name, isValue }) => {
      const { requires = [], uses = [] } = declared.get(pluginOf(from)) ?? {};
      const target = pluginOf(name);
      return !requires.includes(target) && (isValue || !uses.includes(target));
    });
    expect(offences).toEqual([]);
  });

  test('the product does not use files of scripts/', () => {
    const offences = [...core, ...everyPlugin, ...packages].filter(({ text }) =>
      /['"](?:\.\.\/)+scripts\//.test(text),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  test('the browser application imports only its own files, and the service none of them', () => {
    expect(app.length).toBeGreaterThan(20);
    const offences = app.flatMap(({ path, imports }) =>
      imports
        .filter(
          (name) =>
            !name.startsWith(APP) &&
            !/^(?:preact|@codemirror|@lezer)\b|^@platen\/templates\/handlebars-parser$/.test(name),
        )
        .map((name) => `${path} -> ${name}`),
    );
    expect(offences).toEqual([]);
    const users = [...core, ...plugins].filter(({ imports }) => imports.some((name) => name.startsWith(APP)));
    expect(users.map(({ path }) => path)).toEqual([]);
  });

  test('packages import only the packages that they declare, and only through their exports', () => {
    expect(packages.length).toBeGreaterThan(20);
    const offences = packages
      .filter(({ path }) => !isTestOfPackage(path))
      .flatMap(({ path, imports }) => {
        const own = packageOf(path);
        const declared = packageDependencies.get(own) ?? [];
        return imports
          .filter((name) => !name.startsWith(`${own}/`) && !/^(?:node:|bun\b)/.test(name))
          .filter((name) => !declared.includes(packageNameOf(name)) || isHiddenFile(name))
          .map((name) => `${path} -> ${name}`);
      });
    expect(offences).toEqual([]);
  });

  test('tests of packages import only packages', () => {
    const tests = [...packages.filter(({ path }) => isTestOfPackage(path)), ...packageTests];
    expect(tests.length).toBeGreaterThan(60);
    const offences = tests.flatMap(({ path, imports }) =>
      imports
        .filter((name) => /^(?:src|plugins|tests|scripts|bench)\//.test(name) || isHiddenFile(name))
        .map((name) => `${path} -> ${name}`),
    );
    expect(offences).toEqual([]);
    // Tests also read fixtures, by paths that are not imports.
    const readers = packageTests.filter(({ path, text }) =>
      [...text.matchAll(/['`]((?:\.\.\/)+)tests\//g)].some(
        ([, up = '']) => join(dirname(path), up).split('/').filter(Boolean).length < 2,
      ),
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  test('the folders of a package do not import each other in a cycle', () => {
    const folderOf = (path: string) => path.split('/').slice(0, 3).join('/');
    const graph = new Map<string, string[]>();
    for (const { path, imports } of packages.filter((file) => !isTestOfPackage(file.path)))
      for (const name of imports.filter((target) => target.startsWith(`${packageOf(path)}/`)))
        if (folderOf(name) !== folderOf(path))
          graph.set(folderOf(path), [...(graph.get(folderOf(path)) ?? []), folderOf(name)]);
    expect(graph.size).toBeGreaterThan(30);
    expect(cyclesOf(graph)).toEqual([]);
  });

  test('packages are imported by name and through their exports', () => {
    const offences = [...core, ...plugins].flatMap(({ path, imports }) =>
      imports
        .filter(
          (name) => name.startsWith('packages/') || (name.startsWith('@platen/') && !packageFiles.has(name)),
        )
        .map((name) => `${path} -> ${name}`),
    );
    expect(offences).toEqual([]);
  });

  test('only config.ts and the search for the browser read the environment', () => {
    const readers = [...core, ...plugins, ...packages].filter(({ text }) =>
      /(?<!')process\.env|Bun\.env|import\.meta\.env/.test(text),
    );
    // The setup in Node also searches for the browser.
    const browserSearch = 'plugins/render/browser/find-chromium.mjs';
    expect(readers.map(({ path }) => path).toSorted()).toEqual([browserSearch, 'src/config.ts']);
  });

  test('services do not depend on HTTP', () => {
    const services = plugins.filter(({ path }) => path.endsWith('/service.ts'));
    expect(services.length).toBeGreaterThan(3);
    const offences = services.filter(
      ({ imports, text }) => imports.includes('elysia') || /\bRequest\b|\bResponse\(.*status/.test(text),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  test('only the egress guard and the sandbox client open connections', () => {
    const offences = [...core, ...plugins, ...packages].filter(
      ({ path, text }) =>
        /(?:await|return|=) fetch\(|Bun\.connect\(|\bnet\.connect\(/.test(text) &&
        !path.startsWith('src/egress/'),
    );
    expect(offences.map(({ path }) => path)).toEqual(['src/sandbox/channel.ts']);
    // This client uses the guard's `fetch`.
    const clients = [...core, ...plugins].filter(({ imports }) => imports.includes('ky'));
    expect(clients.map(({ path }) => path)).toEqual(['plugins/ai/providers/http-client.ts']);
  });

  test('no code evaluates or bundles source text, except compiled templates and the scripts for components', () => {
    const offences = [...core, ...plugins, ...packages].filter(({ text }) =>
      /Bun\.(Transpiler|build)\b|new Function\(|\beval\(|goto\(['"`]file:/.test(text),
    );
    // Compiled templates run only in the sandbox. The bundler reads only code of this project, in a process that ends with it.
    expect(offences.map(({ path }) => path).toSorted()).toEqual([
      'packages/templates/program.ts',
      'plugins/render/react/bundle.ts',
    ]);
  });
});

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
      .filter((file) => file !== 'tests/architecture.test.ts')
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
