import { readFileSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** A file of a document's folder, or why it is not used. */
export type FoundFile =
  | { kind: 'file'; path: string; bytes: Buffer<ArrayBuffer>; mediaType: string }
  | { kind: 'missing' | 'outside' };

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Reads the files that a document names relative to itself. It reads no file outside the document's folder; a
 * symbolic link counts as the file to which it leads.
 */
export class FolderFiles {
  /** The folder without symbolic links. */
  readonly root: string;
  /** The files that were read, and places where a file is missing. */
  readonly used = new Set<string>();
  readonly #found = new Map<string, FoundFile>();

  constructor(folder: string) {
    this.root = realpathSync(folder);
  }

  /**
   * Finds the file that a reference such as `images/logo.png?v=2` names. Returns `undefined` for a reference
   * to something else, such as a URL with a scheme or a fragment. A reference that begins with a slash starts
   * at the folder of the document.
   */
  find(reference: string, from: string = this.root): FoundFile | undefined {
    const path = pathOf(reference.trim());
    if (path === undefined) return undefined;
    const target = path.startsWith('/') ? resolve(this.root, `.${path}`) : resolve(from, path);
    const known = this.#found.get(target);
    if (known) return known;
    const found = this.#read(target);
    this.#found.set(target, found);
    return found;
  }

  /** Names a file in a message, relative to the folder. */
  nameOf(path: string): string {
    return relative(this.root, path) || '.';
  }

  #read(target: string): FoundFile {
    if (!this.#contains(target)) return { kind: 'outside' };
    this.used.add(target);
    try {
      const path = realpathSync(target);
      if (!this.#contains(path)) return { kind: 'outside' };
      if (!statSync(path).isFile()) return { kind: 'missing' };
      const [mediaType = ''] = Bun.file(path).type.split(';');
      return { kind: 'file', path: target, bytes: readFileSync(path), mediaType };
    } catch {
      return { kind: 'missing' };
    }
  }

  #contains(path: string): boolean {
    return path === this.root || path.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
  }
}

/** Returns the path of a relative reference without its query and fragment. */
function pathOf(reference: string): string | undefined {
  if (SCHEME.test(reference) || reference.startsWith('//') || reference.includes('{{')) return undefined;
  const [path = ''] = reference.split(/[?#]/, 1);
  if (path === '') return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
