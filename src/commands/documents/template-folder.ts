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

const PARTIAL = /^([A-Za-z][A-Za-z0-9_-]*)\.(?:html|hbs)$/;

/** How commands read the file of a template. `docs/command-line.md` says which command takes which kind. */
export type TemplateKind = 'html' | 'markdown' | 'react' | 'office';

/** The kinds of templates by the names of their files. */
const KINDS: Readonly<Record<string, TemplateKind>> = {
  'template.html': 'html',
  'template.hbs': 'html',
  'template.md': 'markdown',
  'template.tsx': 'react',
  'template.jsx': 'react',
  'template.docx': 'office',
  'template.xlsx': 'office',
  'template.pptx': 'office',
};

/** The file that makes a folder the folder of a template. */
export interface TemplateFile {
  name: string;
  kind: TemplateKind;
}

/**
 * Decides for all commands which file of a folder is its template; `undefined` if the folder has none.
 * @throws {UsageError} if the folder has several
 */
export function templateFileIn(folder: string): TemplateFile | undefined {
  const [file, second] = listFolder(folder).flatMap((name): TemplateFile[] => {
    const kind = KINDS[name];
    return kind === undefined ? [] : [{ name, kind }];
  });
  if (file && second)
    throw new UsageError(`${folder} has ${file.name} and ${second.name}; a template has one of them`);
  return file;
}

/**
 * Returns the path of the template in a folder whose document is printed from its source.
 * @throws {UsageError} if the folder has none, or an office file
 */
export function requireSource(folder: string): string {
  const file = templateFileIn(folder);
  if (file === undefined)
    throw new UsageError(`${folder} has no template.html; name a file, or the folder of a template`);
  const path = join(folder, file.name);
  if (file.kind === 'office')
    throw new UsageError(`${path} is an office file, which platen render, test and batch print`);
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
