import { existsSync, watch as watchFolder, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Editors write a file in several steps. Changes within this time count as one. */
const SETTLE_MS = 15;

/** Reports changes of files, also of files that do not exist yet. */
export class Watch {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #paths: ReadonlySet<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Replaces the paths to watch. A folder stands for its entries. Folders are watched in place of files,
   * because editors replace a file by another with its name.
   */
  set(paths: ReadonlySet<string>): void {
    this.#paths = new Set([...paths].map((path) => resolve(path)));
    const folders = new Set([...this.#paths].flatMap((path) => [existingFolder(dirname(path)), path]));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder) && existsSync(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) this.#add(folder);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watchFolder(folder, (_event, name) => this.#changed(folder, name));
      watcher.on('error', () => this.#watchers.delete(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // The path does not exist; its folder is watched.
    }
  }

  #changed(folder: string, name: string | null): void {
    if (name !== null && !this.#concerns(folder, resolve(folder, name))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onChange(), SETTLE_MS);
  }

  /** Tells whether a change concerns a watched path: the path itself, an entry, or a folder above it. */
  #concerns(folder: string, path: string): boolean {
    if (this.#paths.has(path) || this.#paths.has(folder)) return true;
    return [...this.#paths].some((watched) => watched.startsWith(`${path}/`));
  }
}

/** Returns the nearest folder above a path that exists. */
function existingFolder(folder: string): string {
  for (let current = folder; ; current = dirname(current))
    if (existsSync(current) || current === dirname(current)) return current;
}
