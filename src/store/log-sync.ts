import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

/** Brings the write-ahead log of a database to the disk, without blocking the event loop. */
export class LogSync {
  readonly #path: string;
  #file: number | undefined;

  /** @param database the path of the database; SQLite creates its log at the first write */
  constructor(database: string) {
    this.#path = `${database}-wal`;
  }

  /** Resolves when all commits so far are on the disk. @throws {Error} an error of the file system */
  async sync(): Promise<void> {
    // SQLite keeps the log as long as a connection is open, and takes no locks on it, which closing a file
    // would release.
    this.#file ??= openSync(this.#path, 'r');
    await syncData(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
