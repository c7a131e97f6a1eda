import { statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { UsageError } from '../failures.ts';
import { SOURCE_ENDINGS } from '../documents/read-document.ts';
import { isFolder, listFolder } from '../documents/read-file.ts';
import { requireSource, templateFileIn, type TemplateFile } from '../documents/template-folder.ts';

/** A document that `platen dev` can show. */
export interface ListedDocument {
  path: string;
  name: string;
}

/** Folders that have no documents. */
const SKIPPED = new Set(['node_modules', 'partials', 'cases', 'dist', 'data']);

/**
 * Lists the documents at a path: the file or the template folder itself, or the files and template folders in
 * a folder of documents.
 * @throws {UsageError} if the path has no document
 */
export function documentsAt(path: string): ListedDocument[] {
  const isTemplate = isFolder(path) && templateFileIn(path) !== undefined;
  if (isTemplate) requireSource(path);
  if (isTemplate || !isFolder(path)) return [{ path, name: basename(resolve(path)) }];
  const names = listFolder(path).filter((name) => !name.startsWith('.') && !SKIPPED.has(name));
  const found = names.flatMap((name) => {
    const inner = join(path, name);
    const isDocument = isInnerFolder(inner)
      ? isShown(templateFileIn(inner))
      : SOURCE_ENDINGS.includes(extname(name).toLowerCase()) && extname(name) !== '.svg';
    return isDocument ? [{ path: inner, name }] : [];
  });
  if (found.length === 0)
    throw new UsageError(`${path} has no document; name a file, a template folder, or a folder with some`);
  return found;
}

/** Tells whether `platen dev` shows the template of a folder. It does not show office files. */
function isShown(file: TemplateFile | undefined): boolean {
  return file !== undefined && file.kind !== 'office';
}

/** Tells whether a path is a folder. A link that leads nowhere or to itself is not. */
function isInnerFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
