import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the path without symbolic links; `undefined` if nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the path that a `file:` URL names; `undefined` if it names none on this machine. */
export function pathOfUrl(url: string): string | undefined {
  try {
    const { protocol, pathname } = new URL(url);
    return protocol === 'file:' ? fileURLToPath(`file://${pathname}`) : undefined;
  } catch {
    return undefined;
  }
}

/** Decides which local files a page may load. */
export class LocalFiles {
  readonly #allowsAll: boolean;
  readonly #allowed: ReadonlySet<string>;

  /** @param paths files, and folders with everything in them */
  constructor({ allowsAll, paths }: { allowsAll: boolean; paths: readonly string[] }) {
    this.#allowsAll = allowsAll;
    this.#allowed = new Set(paths.map((path) => realPath(path) ?? path));
  }

  /** Allows the files that any of the others allows. */
  static any(others: readonly LocalFiles[]): LocalFiles {
    return new LocalFiles({
      allowsAll: others.some((other) => other.#allowsAll),
      paths: others.flatMap((other) => [...other.#allowed]),
    });
  }

  /** Tells whether the page may load a `file:` URL. A symbolic link counts as the file to which it leads. */
  allows(url: string): boolean {
    if (this.#allowsAll) return true;
    const path = pathOfUrl(url);
    let current = path === undefined ? undefined : realPath(path);
    // A missing file is reported as missing.
    if (path !== undefined && current === undefined) return this.#contains(path);
    if (current === undefined) return false;
    return this.#contains(current);
  }

  #contains(path: string): boolean {
    for (let current = path; ; current = dirname(current)) {
      if (this.#allowed.has(current)) return true;
      if (current === dirname(current)) return false;
    }
  }
}
