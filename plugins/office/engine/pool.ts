import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../src/plugin.ts';
import { UNPRIVILEGED_ID } from './command.ts';
import type { Installation } from './installation.ts';
import {
  OfficeProcess,
  removeSockets,
  type OfficeJob,
  type Outcome,
  type ProcessLimits,
} from './office-process.ts';
import { createProfile } from './profile.ts';

/** How long waiting processes are kept after the last conversion. */
const IDLE_MS = 600_000;
const PREFIX = 'platen-office-';
const PROCESS_FOLDER = /^[0-9a-f]{24}$/;

interface Folders {
  root: string;
  template: string;
  passwd: string;
}

/**
 * Keeps LibreOffice processes started and waiting. Each converts one document and ends, and another takes its
 * place. The first conversion starts the pool, and ten minutes without conversions empty it.
 */
export class OfficePool {
  readonly #installation: Installation;
  readonly #size: number;
  readonly #limits: ProcessLimits;
  readonly #log: Pick<Log, 'warn'>;
  #folders: Promise<Folders> | undefined;
  readonly #waiting: Promise<OfficeProcess>[] = [];
  readonly #working = new Set<OfficeProcess>();
  #idleTimer: Timer | undefined;
  #isClosed = false;

  constructor(
    installation: Installation,
    options: { size: number; limits: ProcessLimits; log: Pick<Log, 'warn'> },
  ) {
    this.#installation = installation;
    this.#size = options.size;
    this.#limits = options.limits;
    this.#log = options.log;
  }

  /** Converts one document in a process of its own. @throws the reason of the signal when it aborts */
  async convert(job: OfficeJob): Promise<Outcome> {
    const office = await this.#take();
    this.#working.add(office);
    this.#fill();
    try {
      return await office.convert(job, this.#limits);
    } finally {
      this.#working.delete(office);
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => this.#empty(), IDLE_MS);
      this.#idleTimer.unref();
    }
  }

  async #take(): Promise<OfficeProcess> {
    for (let waiting = this.#waiting.shift(); waiting; waiting = this.#waiting.shift()) {
      const office = await waiting.catch(() => undefined);
      if (office?.isUsable) return office;
    }
    return this.#start();
  }

  async #start(): Promise<OfficeProcess> {
    if (this.#isClosed) throw new Error('the pool of LibreOffice processes is closed');
    this.#folders ??= createFolders(this.#installation);
    const folders = await this.#folders.catch((error: unknown) => {
      this.#folders = undefined;
      throw error;
    });
    const office = await OfficeProcess.start(this.#installation, folders, this.#limits);
    if (this.#isClosed) office.kill();
    return office;
  }

  #fill(): void {
    while (this.#waiting.length < this.#size && !this.#isClosed) {
      const starting = this.#start();
      starting.catch((error: unknown) =>
        this.#log.warn({ err: error }, 'a LibreOffice process did not start'),
      );
      this.#waiting.push(starting);
    }
  }

  #empty(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.then((office) => office.kill()).catch(() => {});
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const office of this.#working) office.kill();
    const started = await Promise.all(this.#waiting.splice(0).map((each) => each.catch(() => undefined)));
    for (const office of [...started, ...this.#working]) {
      office?.kill();
      await office?.ended;
    }
    const folders = await this.#folders?.catch(() => undefined);
    if (folders) rmSync(folders.root, { recursive: true, force: true });
  }
}

async function createFolders(installation: Installation): Promise<Folders> {
  await (staleRemoval ??= removeStaleFolders().catch(() => {}));
  const root = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    await chmod(root, 0o711);
    const folders = { root, template: join(root, 'profile'), passwd: join(root, 'passwd') };
    const id = UNPRIVILEGED_ID;
    await writeFile(folders.passwd, `office:x:${id}:${id}::/tmp:/usr/sbin/nologin\n`);
    await createProfile(installation, folders.template);
    return folders;
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

let staleRemoval: Promise<void> | undefined;

/**
 * Removes the folders and sockets of services that were killed. This process has made no folder yet, but in
 * a container an earlier service can have had its id.
 */
async function removeStaleFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^platen-office-(\d{1,10})-/.exec(name) ?? [];
    if (pid === undefined || (Number(pid) !== process.pid && existsSync(`/proc/${pid}`))) continue;
    const folder = join(tmpdir(), name);
    for (const id of await readdir(folder).catch(() => []))
      if (PROCESS_FOLDER.test(id)) await removeSockets(join(folder, id)).catch(() => {});
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
