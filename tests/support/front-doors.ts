import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { core, packageFiles, packages, plugins, root } from './source-files.ts';

const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const) (\w+)/gm;
const REEXPORT = /^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm;

/**
 * The files through which others use a part of the code: what packages export, `src/plugin.ts`, the contracts
 * and exports of plugins, and the interfaces that have several implementations.
 */
export const frontDoors: readonly string[] = [
  ...new Set(packageFiles.values()),
  'src/plugin.ts',
  ...plugins
    .map(({ path }) => path)
    .filter((path) => /^plugins\/[^/]+\/(?:contract|exports)\.ts$/.test(path)),
  'src/store/store.ts',
  'src/files/files.ts',
  'plugins/ai/providers/provider.ts',
];

const texts = new Map([...core, ...plugins, ...packages].map(({ path, text }) => [path, text]));
const textOf = (path: string) => texts.get(path) ?? readFileSync(join(root, path), 'utf8');

/** Lists the exported names of a file, each with the file and the position of its declaration. */
export function exportsOf(path: string): { name: string; file: string; at: number }[] {
  const text = textOf(path);
  const own = [...text.matchAll(DECLARATION)].map(({ 1: name = '', index }) => ({
    name,
    file: path,
    at: index,
  }));
  const others = [...text.matchAll(REEXPORT)].flatMap(([, names = '', from = '']) => {
    const declared = exportsOf(join(dirname(path), from));
    return names
      .split(',')
      .map((name) => name.replace(/^\s*(?:type )?|(?: as \w+)?\s*$/g, ''))
      .filter(Boolean)
      .flatMap((name) => declared.filter((other) => other.name === name));
  });
  return [...own, ...others];
}

/** Tells whether a declaration has a docstring. A type and a value of one name may share it. */
export function hasDocstring({ name, file, at }: { name: string; file: string; at: number }): boolean {
  const text = textOf(file);
  if (/\*\/\s*(?:\/\/[^\n]*\s*)*$/.test(text.slice(0, at))) return true;
  return exportsOf(file).some(
    (other) => other.name === name && other.at !== at && /\*\/\s*$/.test(text.slice(0, other.at)),
  );
}
