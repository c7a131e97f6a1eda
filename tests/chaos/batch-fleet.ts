import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import type { JobDocument } from '../../src/jobs/job-document.ts';
import { openState } from '../../src/state.ts';
import { platen, ServiceProcess } from '../support/service/process.ts';
import { waitToRetry } from '../support/service/retry-after.ts';
import type { ApiResponse } from '../support/service/service.ts';

const quotaSweep = new URL('../fixtures/plugins/quota-sweep.ts', import.meta.url).pathname;

/** Time limit of a request, which a suspended service exceeds. */
const ANSWER_LIMIT_MS = 5_000;

/** One service that is killed and restarted on the same data directory. */
interface Replica {
  process: ServiceProcess;
  url: string;
  env: Record<string, string>;
}

/** Totals of the usage records of a deployment. */
export interface UsageSum {
  used: number;
  holds: number;
}

/** A deployment of one or more services that are killed and restarted. */
export class Fleet implements AsyncDisposable {
  readonly #replicas: Replica[] = [];
  readonly #folders: string[] = [];
  key = '';

  /** Starts services that share only what `env` configures. */
  static async start(count: number, env: Record<string, string>): Promise<Fleet> {
    const fleet = new Fleet();
    for (let index = 0; index < count; index += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
      fleet.#folders.push(folder);
      const config = { plugins: { [quotaSweep]: {} } };
      await writeFile(join(folder, 'platen.config.json'), JSON.stringify(config));
      const PLATEN_CONFIG = join(folder, 'platen.config.json');
      fleet.#replicas.push(await launch({ ...env, DATA_DIR: folder, PLATEN_CONFIG, LOG_LEVEL: 'error' }));
    }
    const args = ['keys', 'create', '--email', 'chaos@example.com', '--plan', 'enterprise'];
    const { code, stdout, stderr } = await platen(args, fleet.#replicas[0]?.env ?? {});
    if (code !== 0) throw new Error(stderr);
    fleet.key = stdout.trim();
    return fleet;
  }

  get size(): number {
    return this.#replicas.length;
  }

  /** Kills a service and its process group with SIGKILL. */
  async kill(index: number): Promise<void> {
    const replica = this.#at(index);
    replica.process.killGroup();
    await replica.process.exited;
  }

  /**
   * Suspends a service and its process group for some time. Returns the number of items it held at the start.
   */
  async hang(index: number, forMs: number): Promise<number> {
    const { process } = this.#at(index);
    try {
      for (;;) {
        process.killGroup('SIGSTOP');
        const held = await this.#heldBy(process.pid).catch(() => undefined);
        if (held !== undefined) {
          // Real time: the leases of the suspended process expire.
          await Bun.sleep(forMs);
          return held;
        }
        // The process was stopped while it held the lock of the embedded database.
        process.killGroup('SIGCONT');
        await Bun.sleep(20);
      }
    } finally {
      process.killGroup('SIGCONT');
    }
  }

  /** Restarts a service that was killed. */
  async restart(index: number): Promise<void> {
    Object.assign(this.#at(index), await launch(this.#at(index).env));
  }

  /** Calls one of the services and retries after a 429. Rejects if the service dies or is suspended. */
  async call(
    index: number,
    path: string,
    options: { body?: object; idempotencyKey?: string } = {},
  ): Promise<ApiResponse> {
    const { body, idempotencyKey } = options;
    const response = await fetch(this.#at(index).url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    if (response.status === 429) {
      await waitToRetry(response.headers);
      return this.call(index, path, options);
    }
    // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
    const read: any = await response.json();
    return { status: response.status, headers: response.headers, body: read };
  }

  /** Reads the quota usage from the database. */
  async usage(): Promise<UsageSum> {
    const all = await this.#read<{ id: string; used: number; holds: object }>('usage');
    return {
      used: all.reduce((sum, { used }) => sum + used, 0),
      holds: all.reduce((sum, { holds }) => sum + Object.keys(holds).length, 0),
    };
  }

  /** Counts the items that a process has leased. */
  async #heldBy(pid: number): Promise<number> {
    const jobs = await this.#read<Pick<JobDocument, 'id' | 'name' | 'owner'>>('jobs');
    return jobs.filter(({ name, owner }) => name === 'batch.item' && owner?.split('/')[1] === String(pid))
      .length;
  }

  /** Reads a collection from the database. */
  async #read<T extends { id: string }>(name: string): Promise<T[]> {
    const { env } = this.#at(0);
    const { store } = await openState(loadConfig({ env, cwd: env['DATA_DIR'] ?? '' }));
    try {
      return await (await store.collection<T>({ name })).find();
    } finally {
      await store.close();
    }
  }

  /** Counts the PDFs in the data directory of the first service. Interrupted writes do not count. */
  async filesOnDisk(): Promise<number> {
    const folder = join(this.#at(0).env['DATA_DIR'] ?? '', 'files');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name.startsWith('file_')).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process } of this.#replicas) process.kill('SIGTERM');
    await Promise.all(this.#replicas.map(({ process }) => process.exited));
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  #at(index: number): Replica {
    const replica = this.#replicas[index];
    if (!replica) throw new Error(`no replica ${index}`);
    return replica;
  }
}

async function launch(env: Record<string, string>): Promise<Replica> {
  const service = new ServiceProcess(env);
  return { process: service, url: await service.ready(), env };
}
