import { join } from 'node:path';

/** The longest delays of `/healthz` during a measurement. */
export interface Delay {
  /** Time from request to response in milliseconds. */
  wallMs: number;
  /** CPU time of the service's main thread in that time. Other programs on the machine do not affect it. */
  cpuMs: number;
  /** The number of measured requests. */
  polls: number;
}

/**
 * Measures how long a service takes to respond to `/healthz`, which another process polls every 10 ms. Linux
 * only.
 */
export class HealthProbe implements Disposable {
  readonly #poller;
  #message = Promise.withResolvers<unknown>();

  private constructor(url: string, pid: number) {
    this.#poller = Bun.spawn(
      [process.execPath, '--no-install', join(import.meta.dir, 'health-poller.ts'), url, String(pid)],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        ipc: (message) => this.#message.resolve(message),
        onExit: () => this.#message.reject(new Error('the poller of /healthz ended')),
      },
    );
  }

  static async start(url: string, pid: number): Promise<HealthProbe> {
    const probe = new HealthProbe(url, pid);
    await probe.#message.promise;
    return probe;
  }

  /**
   * Measures while `work` runs and ten times after it, because the service may do more work after its response.
   */
  async during(work: () => Promise<unknown>): Promise<Delay> {
    this.#poller.send('begin');
    await work();
    this.#message = Promise.withResolvers();
    this.#poller.send('end');
    return (await this.#message.promise) as Delay;
  }

  [Symbol.dispose](): void {
    this.#poller.kill();
  }
}
