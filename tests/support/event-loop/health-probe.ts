import { join } from 'node:path';

/** The longest delay of `/healthz` in some time. */
export interface Delay {
  /** From the request to its answer, in milliseconds. */
  wallMs: number;
  /** The part of it in which the service's main thread used a processor: what other programs of the machine do is not in it. */
  cpuMs: number;
  polls: number;
}

const AFTER_MS = 100;

/** Measures how long a service takes to answer `/healthz`, asked every 10 ms from another process. Linux only. */
export class HealthProbe implements Disposable {
  readonly #poller;
  #answer = Promise.withResolvers<unknown>();

  private constructor(url: string, pid: number) {
    this.#poller = Bun.spawn(
      [process.execPath, '--no-install', join(import.meta.dir, 'health-poller.ts'), url, String(pid)],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        ipc: (message) => this.#answer.resolve(message),
        onExit: () => this.#answer.reject(new Error('the poller of /healthz ended')),
      },
    );
  }

  static async start(url: string, pid: number): Promise<HealthProbe> {
    const probe = new HealthProbe(url, pid);
    await probe.#answer.promise;
    return probe;
  }

  /** Measures while some work runs, and for a moment after it: what is left to do may follow the answer. */
  async during(work: () => Promise<unknown>): Promise<Delay> {
    this.#poller.send('begin');
    await work();
    await Bun.sleep(AFTER_MS);
    this.#answer = Promise.withResolvers();
    this.#poller.send('end');
    return (await this.#answer.promise) as Delay;
  }

  [Symbol.dispose](): void {
    this.#poller.kill();
  }
}
