import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../failures.ts';
import { listFolder, readJsonObject } from './read-file.ts';

/** The files of a template folder, as `platen templates pull` writes them. */
export const TEMPLATE_FILES = {
  /** The name, the alias, the options and other properties. */
  properties: 'template.json',
  sample: 'sample.json',
  partials: 'partials',
  cases: 'cases',
} as const;

/** The names of the template itself, the first of which is used. */
const SOURCES = ['template.html', 'template.hbs', 'template.md', 'template.tsx', 'template.jsx'] as const;
const PARTIAL = /^([A-Za-z][A-Za-z0-9_-]*)\.(?:html|hbs)$/;

/** Returns the path of the template in a folder; `undefined` if the folder has none. */
export function templateIn(folder: string): string | undefined {
  const name = SOURCES.find((each) => existsSync(join(folder, each)));
  return name === undefined ? undefined : join(folder, name);
}

/** Returns the path of the template in a folder. @throws {UsageError} if the folder has none */
export function requireTemplate(folder: string): string {
  const path = templateIn(folder);
  if (path === undefined)
    throw new UsageError(`${folder} has no ${SOURCES[0]}; name a file, or the folder of a template`);
  return path;
}

/** Reads `template.json`; an absent one is empty. @throws {UsageError} */
export function readProperties(
  folder: string,
): Record<string, unknown> & { options: Record<string, unknown> } {
  const path = join(folder, TEMPLATE_FILES.properties);
  const properties = existsSync(path) ? readJsonObject(path) : {};
  const { options = {} } = properties;
  if (typeof options !== 'object' || Array.isArray(options))
    throw new UsageError(`${path}: options must be an object`);
  return { ...properties, options: (options ?? {}) as Record<string, unknown> };
}

/** Lists the partials of a folder: the name of each, and the path of its file. @throws {UsageError} */
export function partialsIn(folder: string): { name: string; path: string }[] {
  const partials = join(folder, TEMPLATE_FILES.partials);
  if (!existsSync(partials)) return [];
  return listFolder(partials).flatMap((file) => {
    const [, name] = PARTIAL.exec(basename(file)) ?? [];
    return name === undefined ? [] : [{ name, path: join(partials, file) }];
  });
}
