import { join } from 'node:path';

/** The longest delay of `/healthz` during a measurement. */
export interface Delay {
  /** Time from request to response in milliseconds. */
  wallMs: number;
  /** CPU time of the service's main thread in that time. Other programs on the machine do not affect it. */
  cpuMs: number;
  polls: number;
}

const AFTER_MS = 100;

/** Measures how long a service takes to answer `/healthz`, polled every 10 ms by another process. Linux only. */
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

  /** Measures while `work` runs and shortly after, because the service may do more work after its response. */
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
