import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dir, '../..');
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

/**
 * Lists the imported files that a file loads at run time, with or without dynamic imports. Type imports and
 * `typeof import(...)` load nothing.
 */
export function valueImports(file: SourceFile | undefined, { dynamic: withDynamic = true } = {}): string[] {
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

export const core = sources('src');
/** The studio's application runs in browsers. */
export const APP = 'plugins/studio/app/';
export const everyPlugin = sources('plugins');
export const app = everyPlugin.filter(({ path }) => path.startsWith(APP));
export const plugins = everyPlugin.filter(({ path }) => !path.startsWith(APP));
/** The guide for plugins outside the tree. */
export const guideForPlugins = readFileSync(join(root, 'docs/plugins.md'), 'utf8');
/** The plugins outside the tree that the tests load. */
export const outsidePlugins = sources('tests/fixtures/plugins');
export const packages = sources('packages');
export const packageTests = sources('packages', (name) => name.endsWith('.test.ts'));

/** The files that packages export, by import specifier. */
export const packageFiles = new Map(
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
export const packageDependencies = new Map(
  readdirSync(join(root, 'packages')).map((folder) => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string> };
    return [join('packages', folder), Object.keys(dependencies)] as const;
  }),
);
export const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');
export const packageNameOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
export const isTestOfPackage = (path: string) => /^packages\/[^/]+\/tests\//.test(path);
/** Tells whether a specifier names a file of a package that the package does not export. */
export const isHiddenFile = (specifier: string) =>
  specifier.startsWith('@platen/') && !packageFiles.has(specifier);

/** Finds cycles in a graph of imports: each is a list of files that ends with its first file. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
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
