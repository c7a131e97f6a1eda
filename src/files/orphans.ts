import type { Log } from '../log.ts';
import { DuplicateKeyError, type CollectionSpec, type Document, type Store } from '../store/store.ts';
import { yieldToEventLoop } from '../time-slice.ts';
import { LINK_LIFETIME_MS, type FileStore } from './files.ts';

/** Returns those of the given files that a record names. */
export type FindFilesInUse = (fileIds: readonly string[]) => Promise<Iterable<string>>;

/** Tells whether a file belongs to an account and its record has not expired. */
export type IsFileOwner = (accountId: string, fileId: string) => Promise<boolean>;

/** The owners of files, such as plugins, by name. A file is an orphan when no record of an owner names it. */
export class FileOwners {
  readonly #owners = new Map<string, FindFilesInUse>();
  readonly #ownerChecks: IsFileOwner[] = [];
  #findKnown: () => Promise<readonly string[]> = async () => [];

  /**
   * Registers an owner. Call this before the service starts, because the sweep deletes files that no owner
   * names.
   */
  register(name: string, findInUse: FindFilesInUse, isOwner?: IsFileOwner): void {
    this.#owners.set(name, findInUse);
    if (isOwner) this.#ownerChecks.push(isOwner);
  }

  /** Tells whether an account may read a file with its API key. */
  async isOwner(accountId: string, fileId: string): Promise<boolean> {
    const found = await Promise.all(this.#ownerChecks.map((check) => check(accountId, fileId)));
    return found.includes(true);
  }

  get names(): string[] {
    return [...this.#owners.keys()].toSorted();
  }

  /** Sets the function that reads the names of all owners that this deployment ever had. */
  remember(findKnown: () => Promise<readonly string[]>): void {
    this.#findKnown = findKnown;
  }

  /** Returns the names of owners that are off now and may have stored files. */
  async findOff(): Promise<string[]> {
    const known = await this.#findKnown();
    return known.filter((name) => !this.#owners.has(name));
  }

  /** Returns those of the given files that an owner's record names. */
  async findInUse(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all([...this.#owners.values()].map((find) => find(fileIds)));
    return new Set(found.flatMap((ids) => [...ids]));
  }
}

/** The state of the sweep, shared by all processes of a deployment. Times are epoch milliseconds. */
interface FileSweep extends Document {
  /**
   * When this database was first used with files. A new database does not know the files of an earlier one.
   */
  firstAt: number;
  sweptAt: number;
  /** The owners that have been registered. The files of a plugin that is off now must be kept. */
  owners: readonly string[];
}

const sweepsSpec: CollectionSpec<FileSweep> = { name: 'file_sweeps', usesReserve: true };
const SWEEP_ID = 'orphans';

/**
 * The ids of results and assets. The sweep leaves other files alone, such as those of other programs in the
 * same bucket.
 */
const SWEPT_ID = /^(?:file|(?:file|asset)_[a-z0-9]+)_[0-9A-Za-z]{24}$/;

const INTERVAL_MS = 24 * 60 * 60_000;
/** The first sweep waits until the service has started and answered its first requests. */
const FIRST_DELAY_MS = 5 * 60_000;
/** The pause between two pages, in which the disk and the database serve requests. */
const PAUSE_MS = 50;

/** Deletes files that no record names. */
export interface OrphanSweep {
  /** Sweeps once a day, for the first time some minutes after the start. */
  start(): void;
  /**
   * Deletes the files that were stored more than 30 days ago, the lifetime of a link, and that no owner
   * names. Returns their number. Does nothing if a process swept in the past day, within 30 days of the first
   * start on this database, or while a plugin that owned files is off.
   */
  sweep(): Promise<number>;
  /** Stops after the page that is being swept. */
  stop(): Promise<void>;
}

/** Opens the sweep of a deployment. `pauseMs` is for tests. */
export async function openOrphanSweep(parts: {
  store: Store;
  files: FileStore;
  owners: FileOwners;
  log: Log;
  pauseMs?: number;
}): Promise<OrphanSweep> {
  const { files, owners, log, pauseMs = PAUSE_MS } = parts;
  const sweeps = await parts.store.collection(sweepsSpec);
  let timer: Timer | undefined;
  let running: Promise<unknown> | undefined;
  let stopped = false;

  /** Reads the state, and creates it on the first start. */
  async function readState(): Promise<FileSweep> {
    for (;;) {
      const found = await sweeps.get(SWEEP_ID);
      if (found) return found;
      const firstAt = Date.now();
      try {
        await sweeps.insert({ id: SWEEP_ID, firstAt, sweptAt: 0, owners: owners.names });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }

  owners.remember(async () => (await readState()).owners);

  /** Claims the sweep of this day. Returns false when it is not due or not safe. */
  async function claim(): Promise<boolean> {
    const state = await readState();
    const known = [...new Set([...state.owners, ...owners.names])].toSorted();
    if (known.length > state.owners.length) await sweeps.update({ id: SWEEP_ID }, { owners: known });
    const now = Date.now();
    if (state.sweptAt > now - INTERVAL_MS || state.firstAt > now - LINK_LIFETIME_MS) return false;
    const off = await owners.findOff();
    if (off.length > 0) {
      log.info({ off }, 'files without a record are not deleted while plugins that stored files are off');
      return false;
    }
    return (await sweeps.update({ id: SWEEP_ID, sweptAt: state.sweptAt }, { sweptAt: now })) !== null;
  }

  async function sweep(): Promise<number> {
    if (!(await claim())) return 0;
    const before = Date.now() - LINK_LIFETIME_MS;
    let deleted = 0;
    for await (const page of files.list()) {
      if (stopped) break;
      const old = page.filter(({ id, modifiedAt }) => modifiedAt < before && SWEPT_ID.test(id));
      const inUse = old.length === 0 ? new Set() : await owners.findInUse(old.map(({ id }) => id));
      for (const { id } of old) {
        if (inUse.has(id)) continue;
        await files.delete(id);
        deleted += 1;
      }
      await yieldToEventLoop();
      await Bun.sleep(pauseMs);
    }
    if (deleted > 0) log.info({ deleted }, 'files without a record were deleted');
    return deleted;
  }

  function sweepAfter(delayMs: number): void {
    timer = setTimeout(() => {
      running = sweep()
        .catch((error: unknown) => log.error({ err: error }, 'files without a record were not deleted'))
        .finally(() => {
          if (!stopped) sweepAfter(INTERVAL_MS);
        });
    }, delayMs);
    timer.unref();
  }

  return {
    start() {
      running = readState().catch((error: unknown) =>
        log.error({ err: error }, 'the state of the file sweep was not stored'),
      );
      sweepAfter(FIRST_DELAY_MS);
    },
    sweep,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
