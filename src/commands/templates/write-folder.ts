import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../failures.ts';
import { formatJson } from '../json-text.ts';
import type { LocalTemplate, ServerRecord } from './folder.ts';
import { filesOf, presentFields, type TemplateState } from './state.ts';

/** The files of a template folder, which belong to the template. Others are left alone. */
const OWN_FILE = /^(?:template\.(?:html|docx|xlsx|pptx|json)|sample\.json|cases\/[^/]+\.(?:json|pdf))$/;

/**
 * Writes a template to its folder, and deletes the files of an earlier state that the template no
 * longer has. A crash leaves each file whole.
 * @throws {UsageError} for a symbolic link, through which nothing is written
 */
export function writeTemplate(
  { root, path: folder }: Pick<LocalTemplate, 'root' | 'path'>,
  {
    state,
    before,
    servers,
  }: {
    state: TemplateState;
    before: TemplateState | undefined;
    servers: Readonly<Record<string, ServerRecord>>;
  },
): void {
  const files = new Map(filesOf(state));
  files.set('template.json', formatJson({ ...presentFields(state), servers }));
  for (const [path, content] of files) writeInside(root, join(folder, path), content);
  for (const path of before ? filesOf(before).keys() : [])
    if (!files.has(path) && OWN_FILE.test(path)) removeInside(root, join(folder, path));
}

/** Writes `template.json` again, with what it remembers of servers. @throws {UsageError} */
export function writeRecords(
  { root, path: folder }: Pick<LocalTemplate, 'root' | 'path'>,
  { state, servers }: { state: TemplateState; servers: Readonly<Record<string, ServerRecord>> },
): void {
  writeInside(root, join(folder, 'template.json'), formatJson({ ...presentFields(state), servers }));
}

/**
 * Writes a file of a folder, in one step. Creates the folders on the way, and the root if it is missing.
 * @throws {UsageError} for a symbolic link on the way, and if the file cannot be written
 */
export function writeInside(root: string, path: string, content: string | Uint8Array): void {
  const target = join(root, path);
  try {
    mkdirSync(root, { recursive: true });
    makeFolders(root, dirname(path));
    requireNoLink(target, root);
    const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
    try {
      writeFileSync(temporary, content, { flag: 'wx' });
      renameSync(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw explain(target, error);
  }
}

/** Deletes a file of a folder; an absent one counts as deleted. @throws {UsageError} */
export function removeInside(root: string, path: string): void {
  const target = join(root, path);
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      requireNoLink(join(root, folder), root);
    rmSync(target, { force: true });
  } catch (error) {
    throw explain(target, error);
  }
}

function makeFolders(root: string, path: string): void {
  if (path === '.') return;
  makeFolders(root, dirname(path));
  const folder = join(root, path);
  requireNoLink(folder, root);
  mkdirSync(folder, { recursive: true });
}

function requireNoLink(path: string, root: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink())
    throw new UsageError(
      `${path} is a symbolic link, which may lead out of ${root}; replace it by a file or folder`,
    );
}

function explain(path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new UsageError(`${path} cannot be written (${code}); check the folder and its permissions`);
}
