import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { UsageError } from '../failures.ts';
import { formatJson } from '../json-text.ts';
import type { LocalTemplate, ServerRecord } from './folder.ts';
import { filesOf, pathInFolder, presentFields, type TemplateState } from './state.ts';

/** The files of a template folder, which belong to the template. Others are left alone. */
const OWN_FILE = /^(?:template\.(?:html|hbs|docx|xlsx|pptx|json)|sample\.json|cases\/[^/]+\.(?:json|pdf))$/;

/**
 * Writes a template to its folder, and deletes the files of an earlier state that the template no
 * longer has. A crash leaves each file whole.
 * @throws {UsageError} for a symbolic link, through which nothing is written
 */
export function writeTemplate(
  { root, path: folder, fileName }: Pick<LocalTemplate, 'root' | 'path'> & { fileName?: string },
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
  const files = filesOf(state);
  const gone = [...(before ? filesOf(before).keys() : [])].filter(
    (path) => !files.has(path) && OWN_FILE.test(path),
  );
  const placeOf = (path: string) => join(folder, pathInFolder(path, fileName));
  for (const path of [...files.keys(), ...gone]) requireWritable(root, placeOf(path));
  for (const [path, content] of files)
    if (path !== 'template.json') writeInside(root, placeOf(path), content);
  for (const path of gone) removeInside(root, placeOf(path));
  // Last, because it says that the folder has the state of the server: a push replaces that state.
  writeRecords({ root, path: folder }, { state, servers });
}

/** Writes `template.json` again, with its records of servers. @throws {UsageError} */
export function writeRecords(
  { root, path: folder }: Pick<LocalTemplate, 'root' | 'path'>,
  { state, servers }: { state: TemplateState; servers: Readonly<Record<string, ServerRecord>> },
): void {
  writeInside(root, join(folder, 'template.json'), formatJson({ ...presentFields(state), servers }));
}

/**
 * Writes a file of a folder, in one step. Creates the folders on the way, and the root if it is missing.
 * @throws {UsageError} for a path that leaves the root, for a symbolic link on the way, and if the file
 * cannot be written
 */
export function writeInside(root: string, path: string, content: string | Uint8Array): void {
  const target = join(root, path);
  const inner = requireInside(root, target);
  try {
    mkdirSync(root, { recursive: true });
    for (const folder of foldersOf(inner)) {
      requireNoLink(join(root, folder), root);
      mkdirSync(join(root, folder), { recursive: true });
    }
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
  const inner = requireInside(root, target);
  try {
    for (const folder of foldersOf(inner)) requireNoLink(join(root, folder), root);
    rmSync(target, { force: true });
  } catch (error) {
    throw explain(target, error);
  }
}

/**
 * Requires that a file of a folder can be written or deleted, before work that a later failure would waste.
 * @throws {UsageError}
 */
export function requireWritable(root: string, path: string): void {
  const target = join(root, path);
  const inner = requireInside(root, target);
  try {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UsageError(`${root} is a file; name a folder`);
    for (const folder of foldersOf(inner)) {
      requireNoLink(join(root, folder), root);
      const found = lstatSync(join(root, folder), { throwIfNoEntry: false });
      if (!found) return;
      if (!found.isDirectory())
        throw new UsageError(`${join(root, folder)} is a file in the place of a folder; rename it`);
    }
    requireNoLink(target, root);
    if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${target} is a folder in the place of a file; rename it`);
  } catch (error) {
    throw explain(target, error);
  }
}

/** Lists the folders on the way to a file, the outer ones first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...foldersOf(folder), folder];
}

/** Returns the path of a file relative to its root. @throws {UsageError} if the path leaves the root */
function requireInside(root: string, target: string): string {
  const inner = relative(root, target);
  if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner))
    throw new UsageError(`${target} is not a file in ${root}; it was left as it is`);
  return inner;
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
