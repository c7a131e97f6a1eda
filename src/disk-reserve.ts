import { rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DegradedError } from './errors.ts';

/** The space that intake leaves free for deletions, running work and the start of the service. */
const MARGIN_BYTES = 32_000_000;
/**
 * The size of the reserve file. SQLite merges its log into the database at 4 MB, so this covers many
 * deletions.
 */
const FILE_BYTES = 8_000_000;
/** On a small disk, the margin and the file each take at most this part of it. */
const SMALL_DISK_PART = 16;
const CHUNK_BYTES = 1_000_000;
const MAINTENANCE_INTERVAL_MS = 5_000;
/** The measurement of a disk with more free space is used again for a moment, in which it cannot get full. */
const PLENTY_BYTES = 4_000_000_000;
const PLENTY_MS = 100;

/** The part of a {@link DiskReserve} that the drivers of the database and the file store use. */
export interface IntakeGuard {
  /** Tells whether the disk has room for new data of this size besides the margin. */
  admits(sizeBytes: number): boolean;
  /** Deletes the reserve file, so that deletions can be written. Returns whether this freed space. */
  release(): boolean;
}

interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/**
 * Keeps part of the disk with the data free, because SQLite and most file systems need space to delete
 * anything.
 *
 * New data is refused while less than a margin is free. A file holds further space in case other programs
 * fill the disk or a quota ends earlier than the disk. A write that does not fit deletes this file and is
 * repeated; then new data is refused until there is room for the file again.
 */
export class DiskReserve implements IntakeGuard {
  readonly #directory: string;
  readonly #path: string;
  readonly #measure: () => DiskSpace;
  #isReleased = false;
  /** The last measurement, and until when it is used again, as of `performance.now()`. */
  #measured: { space: DiskSpace; until: number } | undefined;
  #timer: Timer | undefined;
  #maintaining: Promise<void> | undefined;

  /** `measure` is for tests. It may throw, such as for a file system that does not report its space. */
  constructor(directory: string, measure: () => DiskSpace = () => measureDisk(directory)) {
    this.#directory = directory;
    this.#path = join(directory, 'reserve');
    this.#measure = measure;
  }

  admits(sizeBytes: number): boolean {
    if (this.#isReleased) return false;
    const { space: known, until = 0 } = this.#measured ?? {};
    const space = performance.now() < until ? known : this.#space();
    return !space || space.freeBytes - sizeBytes >= share(space, MARGIN_BYTES);
  }

  release(): boolean {
    this.#isReleased = true;
    if (this.#heldBytes() === 0) return false;
    try {
      rmSync(this.#path, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  /** @throws {DegradedError} while new data is refused */
  check(): string {
    if (!this.admits(0))
      throw new DegradedError(
        `${this.#directory} has ${inMegabytes(this.#space()?.freeBytes ?? 0)} MB free: new data is refused, reading and deleting work`,
      );
    const space = this.#space();
    return space ? `${inMegabytes(space.freeBytes)} MB free in ${this.#directory}` : '';
  }

  /** Creates the reserve file, and creates it again when it was deleted and the disk has room for it. */
  start(): void {
    const maintain = (): void => {
      this.#maintaining = this.maintain().finally(() => {
        this.#timer = setTimeout(maintain, MAINTENANCE_INTERVAL_MS).unref();
      });
    };
    maintain();
  }

  async stop(): Promise<void> {
    await this.#maintaining;
    clearTimeout(this.#timer);
  }

  /**
   * Creates the reserve file if it is missing and fits besides the margin. Does nothing on a disk that cannot
   * be written.
   */
  async maintain(): Promise<void> {
    const space = this.#space();
    if (!space) {
      this.#isReleased = false;
      return;
    }
    const sizeBytes = share(space, FILE_BYTES);
    const heldBytes = this.#heldBytes();
    if (heldBytes < sizeBytes) {
      if (space.freeBytes + heldBytes < sizeBytes + share(space, MARGIN_BYTES)) return;
      if (!(await this.#fill(sizeBytes))) return;
    }
    this.#isReleased = false;
  }

  async #fill(sizeBytes: number): Promise<boolean> {
    // Random bytes, because some file systems compress.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; at < chunk.length; at += 65_536) crypto.getRandomValues(chunk.subarray(at, at + 65_536));
    try {
      await using file = await open(this.#path, 'w', 0o600);
      for (let left = sizeBytes; left > 0; left -= CHUNK_BYTES)
        await file.writeFile(chunk.subarray(0, Math.min(left, CHUNK_BYTES)));
      await file.sync();
      return true;
    } catch {
      rmSync(this.#path, { force: true });
      return false;
    }
  }

  #heldBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  #space(): DiskSpace | undefined {
    try {
      const space = this.#measure();
      const hasPlenty = space.freeBytes > PLENTY_BYTES;
      this.#measured = hasPlenty ? { space, until: performance.now() + PLENTY_MS } : undefined;
      return space;
    } catch {
      this.#measured = undefined;
      return undefined;
    }
  }
}

function share({ totalBytes }: DiskSpace, wantedBytes: number): number {
  return Math.floor(Math.min(wantedBytes, totalBytes / SMALL_DISK_PART));
}

function measureDisk(directory: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

function inMegabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
