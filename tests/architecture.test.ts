import { describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { builtInPlugins } from '../plugins/index.ts';
import { exportsOf } from './support/front-doors.ts';
import {
  APP,
  app,
  core,
  cyclesOf,
  everyPlugin,
  guideForPlugins,
  isHiddenFile,
  isTestOfPackage,
  outsidePlugins,
  packageDependencies,
  packageFiles,
  packageNameOf,
  packageOf,
  packages,
  packageTests,
  plugins,
  valueImports,
} from './support/source-files.ts';

/** Lists the names, separated by commas, in the first group of a pattern. */
function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, list = '']) =>
    list.split(',').flatMap((item) => item.trim().replace(/^type /, '') || []),
  );
}

/** Returns the folders or files of the same folder that lead to two files. */
function siblingsOf(from: string, to: string): [string, string] {
  const [left, right] = [from.split('/'), to.split('/')];
  const depth = left.findIndex((part, index) => part !== right[index]) + 1;
  return [left.slice(0, depth).join('/'), right.slice(0, depth).join('/')];
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

  test('the front door exports at most 100 names, which two plugins use or the guide for plugins shows', () => {
    const text = core.find(({ path }) => path === 'src/plugin.ts')?.text ?? '';
    expect(text).not.toContain('export *');
    const declared = [...text.matchAll(/^export (?:interface|type|function|const|class) (\w+)/gm)];
    const names = [
      ...namesIn(text, /export (?:type )?\{([^}]*)\}/g),
      ...declared.map(([, name = '']) => name),
    ];
    expect(names.length).toBeGreaterThan(50);
    expect(names.length).toBeLessThanOrEqual(100);

    const imports = /import (?:type )?\{([^}]*)\} from '(?:[./]*src\/plugin\.ts|platen\/plugin)'/g;
    const additions = /^declare module '(?:[./]*src\/plugin\.ts|platen\/plugin)' \{\n {2}interface (\w+)/gm;
    const namesUsed = (code: string) => [...namesIn(code, imports), ...namesIn(code, additions)];
    const shown = new Set([guideForPlugins, ...outsidePlugins.map((file) => file.text)].flatMap(namesUsed));
    const users = new Map<string, Set<string>>();
    for (const { path, text: code } of plugins)
      for (const name of namesUsed(code))
        users.set(name, (users.get(name) ?? new Set()).add(path.split('/')[1] ?? ''));
    expect(names.filter((name) => !shown.has(name) && (users.get(name)?.size ?? 0) < 2)).toEqual([]);
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
      'packages/pdf-standards/pdfua-repair/note-destinations.ts',
      'packages/einvoice/data/shape.ts',
      'packages/einvoice/profiles.ts',
      'packages/einvoice/schema.ts',
      'packages/pdf-standards/levels.ts',
      'packages/pdf/properties/limits.ts',
      'packages/signatures/levels.ts',
      'packages/templates/check-data.ts',
      'packages/templates/page-variables.ts',
      'packages/templates/parse-date.ts',
      'packages/templates/translations/names.ts',
    ];
    expect(
      [...reached].filter((path) => /^packages\/(?!runtime\/)/.test(path) && !harmless.includes(path)),
    ).toEqual([]);
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
      // Names it in a script for a browser page.
      'plugins/render/wkhtmltopdf/contents.ts',
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
    ).toEqual(['src/assembly.ts', 'src/commands/plugin-command.ts']);
  });

  test('the core has no capabilities: it imports no engine of this repository or of others', () => {
    const imported = core.flatMap(({ imports }) =>
      imports.filter((name) => !/^(?:src|plugins|node:)/.test(name)),
    );
    const packageOfName = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    expect([...new Set(imported.map(packageOfName))].toSorted()).toEqual([
      '@elysiajs/openapi',
      '@platen/runtime',
      '@sinclair/typebox',
      'aws4fetch',
      'bun',
      'bun:ffi',
      'bun:jsc',
      'bun:sqlite',
      'client-zip',
      'commander',
      'csv-parse',
      'diff',
      'elysia',
      'ipaddr.js',
      'mongodb',
      'package.json',
      'pino',
      'prom-client',
      'rate-limiter-flexible',
      'standardwebhooks',
    ]);
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

  test('plugins export only what another plugin uses or the guide for plugins shows', () => {
    const exporters = plugins.filter(({ path }) => path.endsWith('/exports.ts'));
    expect(exporters.length).toBeGreaterThan(3);
    const outside = [guideForPlugins, ...outsidePlugins.map((file) => file.text)];
    const offences = exporters.flatMap(({ path }) => {
      const [, own = ''] = path.split('/');
      const users = [
        ...plugins
          .filter((file) => !file.path.startsWith(`plugins/${own}/`) && file.imports.includes(path))
          .map((file) => file.text),
        ...outside.filter((code) => code.includes(`'platen/${own}'`)),
      ];
      const names = exportsOf(path).map(({ name }) => name);
      expect(names, path).not.toEqual([]);
      return [...new Set(names)]
        .filter((name) => !users.some((code) => new RegExp(String.raw`\b${name}\b`).test(code)))
        .map((name) => `${path}: ${name}`);
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
        // A plugin that is used may be off: its values are imported with `import()`, after a check that it is
        // on.
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
            !/^(?:preact|@codemirror|@lezer)\b|^@platen\/templates\/(?:check-data|handlebars-parser|labels|parse-date|translation-names)$/.test(
              name,
            ),
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

  test('the folders of a package do not import each other in a cycle, at any depth', () => {
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of packages.filter((file) => !isTestOfPackage(file.path)))
      for (const name of imports.filter((target) => target.startsWith(`${packageOf(path)}/`))) {
        const [from, to] = siblingsOf(path, name);
        if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
      }
    expect(graph.size).toBeGreaterThan(100);
    const edges = new Map([...graph].map(([folder, targets]) => [folder, [...targets]]));
    expect([...edges.keys()]).toContain('packages/pdf/forms/fill');
    expect(cyclesOf(edges)).toEqual([]);
  });

  test('the folders of src do not import each other in a cycle, except HTTP and idempotency', () => {
    const folderOf = (path: string) =>
      path.split('/').length > 2 ? path.split('/').slice(0, 2).join('/') : path;
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of core)
      for (const name of imports.filter((target) => target.startsWith('src/')))
        if (folderOf(name) !== folderOf(path))
          graph.set(folderOf(path), (graph.get(folderOf(path)) ?? new Set()).add(folderOf(name)));
    expect(graph.size).toBeGreaterThan(20);
    const edges = new Map([...graph].map(([folder, targets]) => [folder, [...targets]]));
    expect(cyclesOf(edges)).toEqual([['src/http', 'src/idempotency', 'src/http']]);
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
    // The commands of a developer, such as `platen listen`, are clients of a service.
    const client = ['src/commands/service/client.ts', 'src/listen/event-source.ts', 'src/listen/listen.ts'];
    expect(offences.map(({ path }) => path).toSorted()).toEqual([...client, 'src/sandbox/channel.ts']);
    // This client uses the guard's `fetch`.
    const clients = [...core, ...plugins].filter(({ imports }) => imports.includes('ky'));
    expect(clients.map(({ path }) => path)).toEqual(['plugins/ai/providers/http-client.ts']);
  });

  test('no code evaluates or bundles source text, except compiled templates and the scripts for components', () => {
    const offences = [...core, ...plugins, ...packages].filter(({ text }) =>
      /Bun\.(Transpiler|build)\b|new Function\(|\beval\(|goto\(['"`]file:/.test(text),
    );
    // Compiled templates run only in the sandbox. The bundler reads only code of this project, in a process
    // that ends with it.
    expect(offences.map(({ path }) => path).toSorted()).toEqual([
      'packages/templates/program.ts',
      'plugins/render/react/bundle.ts',
      // Compiles the script of its own page.
      'src/commands/dev/page-server.ts',
    ]);
  });
});
