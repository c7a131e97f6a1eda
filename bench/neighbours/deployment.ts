import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen, ServiceProcess } from '../../tests/support/service/process.ts';
import { MemoryWatch } from './memory-watch.ts';

const STOP_LIMIT_MS = 15_000;

/**
 * A service in its own process with default settings: embedded SQLite and a new data directory. It has no
 * monthly limits.
 */
export class Deployment implements AsyncDisposable {
  readonly url: string;
  readonly memory: MemoryWatch;
  readonly #service: ServiceProcess;
  readonly #env: Record<string, string>;
  readonly #dataDir: string;
  #alive = true;

  private constructor(url: string, service: ServiceProcess, env: Record<string, string>, dataDir: string) {
    this.url = url;
    this.#service = service;
    this.#env = env;
    this.#dataDir = dataDir;
    this.memory = new MemoryWatch(service.pid, (reason) => {
      console.error(`killing the service: ${reason}`);
      service.killGroup();
    });
    void this.#follow();
  }

  /** Starts the service. @throws {Error} with its output if it does not start. */
  static async start(env: Record<string, string> = {}): Promise<Deployment> {
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-neighbours-'));
    // Only the rate limit should limit an attack. The monthly limit of 50 documents would end it at once.
    const plans = { free: { monthlyLimit: null }, pro: { monthlyLimit: null } };
    await writeFile(join(dataDir, 'platen.config.json'), JSON.stringify({ plans }));
    const settings = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      DRAIN_TIMEOUT_MS: '1000',
      PLATEN_CONFIG: join(dataDir, 'platen.config.json'),
      ...env,
    };
    const service = new ServiceProcess(settings);
    return new Deployment(await service.ready(), service, settings, dataDir);
  }

  /** Creates an account with an API key. @throws {Error} with the command's output. */
  async createKey(plan: 'free' | 'pro'): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const made = await platen(['keys', 'create', '--email', email, '--plan', plan], this.#env);
    if (made.code !== 0) throw new Error(`no key was created: ${made.stderr}`);
    return made.stdout.trim();
  }

  /** The id of the process. */
  get pid(): number {
    return this.#service.pid;
  }

  /** Whether the process runs. */
  get alive(): boolean {
    return this.#alive;
  }

  async #follow(): Promise<void> {
    await this.#service.exited;
    this.#alive = false;
    this.memory[Symbol.dispose]();
  }

  /** Stops the service, by force if necessary. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.alive) this.#service.kill('SIGTERM');
    const late = setTimeout(() => this.#service.killGroup(), STOP_LIMIT_MS);
    await this.#service.exited;
    clearTimeout(late);
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
