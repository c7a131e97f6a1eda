import { describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import {
  APP,
  app,
  core,
  cyclesOf,
  everyPlugin,
  isHiddenFile,
  isTestOfPackage,
  packageDependencies,
  packageFiles,
  packageNameOf,
  packageOf,
  packages,
  packageTests,
  plugins,
  valueImports,
} from './support/source-files.ts';

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
