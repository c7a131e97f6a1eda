import { fileURLToPath } from 'node:url';
import { Channel } from './channel.ts';
import { NICE, NICER, setNiceness } from './niceness.ts';
import { asReply, type Call, type Reply } from './protocol.ts';
import { residentBytes } from './resident-memory.ts';

/**
 * Why a process ended: it was killed for its task (`deadline`, `memory`, `aborted`), it was not needed any more or had grown
 * (`retired`), the sandbox was closed (`closed`), or it died by itself (`crash`).
 */
export type ExitReason = 'deadline' | 'memory' | 'aborted' | 'crash' | 'retired' | 'closed';

/** Rejects what a process was asked when it died before it answered. */
export class ProcessLostError extends Error {
  override name = 'ProcessLostError';
  readonly reason: ExitReason;

  constructor(reason: ExitReason) {
    super(`the sandbox process was lost (${reason})`);
    this.reason = reason;
  }
}

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url));
const FLAGS = ['--no-env-file', '--no-install'];
const START_LIMIT_MS = 20_000;
/** How long a process that has closed its channel may take to exit. */
const EXIT_LIMIT_MS = 100;

// The whole environment of a sandbox process: it gets none of the service's, which holds secrets.
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' };

/** Not a folder of the project or of a user: Bun looks for `.env` and `bunfig.toml` in the working directory. */
const WORKING_DIRECTORY = '/';

/** A process that runs one task at a time. */
export class SandboxProcess {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly exited: Promise<ExitReason>;
  readonly startedAt = Date.now();
  /** As of the last `measure`. */
  residentBytes = 0;
  readonly #process: Bun.Subprocess;
  readonly #ready = Promise.withResolvers<void>();
  /** Who waits for the next answers, in order. */
  readonly #waiting: PromiseWithResolvers<Reply>[] = [];
  #channel: Channel | undefined;
  #reason: ExitReason | undefined;
  #isSlowed = false;
  #hasChannel = true;

  private constructor(child: Bun.Subprocess) {
    this.#process = child;
    this.pid = child.pid;
    this.exited = child.exited.then(() => {
      this.#channel?.close();
      const reason = this.#reason ?? 'crash';
      for (const { reject } of this.#waiting.splice(0)) reject(new ProcessLostError(reason));
      return reason;
    });
  }

  /** Starts a process that has imported the modules. @throws with the end of its standard error when it is not ready within 20 s. */
  static async start(modules: readonly string[]): Promise<SandboxProcess> {
    const child = Bun.spawn([process.execPath, ...FLAGS, HOST, ...modules], {
      cwd: WORKING_DIRECTORY,
      env: ENVIRONMENT,
      // A connected pair of sockets: several times as fast as HTTP over a named one, and nothing of it stays in the file system.
      stdio: ['ignore', 'ignore', 'pipe', 'socket-fd'],
    });
    const errors = tailOf(child.stderr);
    const died = child.exited.then(async (code) => {
      throw new Error(
        `the sandbox process ended with ${child.signalCode ?? code} at its start: ${await errors}`,
      );
    });
    died.catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    try {
      const started = new SandboxProcess(child);
      await Promise.race([started.#connect(child.stdio[3]), died]);
      return started;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(fd: number | null | undefined): Promise<void> {
    if (typeof fd !== 'number') throw new TypeError('the sandbox process has no channel');
    this.#channel = await Channel.open(fd, {
      message: (message) => this.#receive(message),
      closed: () => this.#loseChannel(),
    });
    setNiceness(this.pid, NICE);
    await this.#ready.promise;
  }

  /** A process that ends closes its channel first. One that still runs afterwards, or that broke the protocol, is of no use. */
  #loseChannel(): void {
    this.#hasChannel = false;
    setTimeout(() => this.kill('crash'), EXIT_LIMIT_MS).unref();
  }

  /** @throws {TypeError} for a message that breaks the protocol. */
  #receive(message: unknown): void {
    const [next] = this.#waiting;
    if (!next) return this.#ready.resolve();
    // What breaks the protocol leaves the wait to the end of the process.
    const reply = asReply(message);
    this.#waiting.shift();
    next.resolve(reply);
  }

  /** Whether tasks may be given to it. */
  get isUsable(): boolean {
    if (this.#reason !== undefined || !this.#hasChannel) return false;
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** True when the process was killed by somebody else, such as the kernel when memory ran out. */
  get wasKilledFromOutside(): boolean {
    return this.#reason === undefined && this.#process.signalCode === 'SIGKILL';
  }

  /** How the process ended, for the log. */
  get exitStatus(): string | number | null {
    return this.#process.signalCode ?? this.#process.exitCode;
  }

  /**
   * Runs a task. @throws {ProcessLostError} when the process dies first.
   * @throws {UncloneableError} when the argument cannot be sent; the process is in order.
   */
  run(call: Call): Promise<Reply> {
    return this.#ask(call);
  }

  /** Resolves when the process answers. @throws {ProcessLostError} */
  async ping(): Promise<void> {
    await this.#ask({ module: undefined, name: 'ping', input: null });
  }

  /** Has the process give unused memory back to the system. @throws {ProcessLostError} */
  async collectGarbage(): Promise<void> {
    await this.#ask({ module: undefined, name: 'collectGarbage', input: null });
  }

  async #ask(call: Call): Promise<Reply> {
    if (!this.#channel || !this.isUsable) throw new ProcessLostError(this.#reason ?? 'crash');
    this.#channel.send(call);
    const answer = Promise.withResolvers<Reply>();
    this.#waiting.push(answer);
    return await answer.promise;
  }

  /** Reads the resident memory in bytes, and keeps it in `residentBytes`. */
  async measure(): Promise<number> {
    this.residentBytes = await residentBytes(this.pid);
    return this.residentBytes;
  }

  /** Lets other processes go first until `recover`. */
  slowDown(): void {
    if (this.#isSlowed) return;
    this.#isSlowed = true;
    setNiceness(this.pid, NICER);
  }

  /** Takes `slowDown` back. False when that is not permitted. */
  recover(): boolean {
    if (this.#isSlowed) this.#isSlowed = !setNiceness(this.pid, NICE);
    return !this.#isSlowed;
  }

  /** Kills the process with SIGKILL. The first reason stands. */
  kill(reason: ExitReason): void {
    this.#reason ??= reason;
    this.#process.kill('SIGKILL');
  }
}

// Read to the end even when it is not needed: a full pipe would block the process.
async function tailOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of stream) tail = (tail + decoder.decode(chunk, { stream: true })).slice(-2_000);
  return tail.trim();
}
