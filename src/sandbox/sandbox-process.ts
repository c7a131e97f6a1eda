import { fileURLToPath } from 'node:url';
import { Channel } from './channel.ts';
import {
  TASK_NICENESS,
  SLOW_TASK_NICENESS,
  setNiceness,
  setSessionNiceness,
  cpuTimeMs,
  residentBytes,
} from '@platen/runtime';
import { asReply, type Call, type Reply } from './protocol.ts';

/**
 * Why a process ended: it was killed because of its task (`deadline`, `starved`, `memory`, `aborted`), it was
 * surplus or too large (`retired`), the sandbox was closed (`closed`), or it died (`crash`).
 */
export type ExitReason = 'deadline' | 'starved' | 'memory' | 'aborted' | 'crash' | 'retired' | 'closed';

/** Thrown when a process ends before it replies. */
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
/** A task with a larger input gets a low priority from its start. */
const LARGE_BYTES = 4_000_000;
/**
 * The niceness of the session of a process with a slow task, which gets a quarter of the CPU time when
 * another session needs all of it.
 */
const SLOW_SESSION_NICENESS = 5;
/** How long a process that has closed its channel may take to exit. */
const EXIT_LIMIT_MS = 100;

// The complete environment of a sandbox process. The environment of the service contains secrets.
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' };

/**
 * Bun reads `.env` and `bunfig.toml` in the working directory, so it must not be a folder of the project or
 * of a user.
 */
const WORKING_DIRECTORY = '/';

/** A process that runs one task at a time. */
export class SandboxProcess {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly exited: Promise<ExitReason>;
  readonly startedAt = Date.now();
  /** The result of the last `measure`. */
  residentBytes = 0;
  readonly #process: Bun.Subprocess;
  readonly #ready = Promise.withResolvers<void>();
  /** The calls without a reply, in order. */
  readonly #waiting: PromiseWithResolvers<Reply>[] = [];
  #channel: Channel | undefined;
  #reason: ExitReason | undefined;
  #isSlowed = false;
  /** The CPU time of the process before the current task. */
  #cpuMsBefore = Promise.resolve(0);
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

  /**
   * Starts a process and waits until it has imported the modules.
   * @throws {Error} with the end of its standard error if it ends or is not ready within 20 s.
   */
  static async start(modules: readonly string[]): Promise<SandboxProcess> {
    const child = Bun.spawn([process.execPath, ...FLAGS, HOST, ...modules], {
      cwd: WORKING_DIRECTORY,
      env: ENVIRONMENT,
      // A session can have a lower priority than the service's, see `setSessionNiceness`.
      detached: true,
      // A connected pair of sockets is several times as fast as HTTP over a named socket, and leaves no file
      // behind.
      stdio: ['ignore', 'ignore', 'pipe', 'socket-fd'],
    });
    const errors = tailOf(child.stderr);
    const died = child.exited.then(async (code) => {
      throw new Error(
        `the sandbox process ended with ${child.signalCode ?? code} while it started: ${await errors}`,
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
    setNiceness(this.pid, TASK_NICENESS);
    await this.#ready.promise;
  }

  /**
   * Waits for the process to end, because an ending process closes its channel first. Kills a process that
   * keeps running.
   */
  #loseChannel(): void {
    this.#hasChannel = false;
    setTimeout(() => this.kill('crash'), EXIT_LIMIT_MS).unref();
  }

  /** @throws {TypeError} if the message violates the protocol. */
  #receive(message: unknown): void {
    const [next] = this.#waiting;
    if (!next) return this.#ready.resolve();
    // If this throws, the process is killed, which rejects the call.
    const reply = asReply(message);
    this.#waiting.shift();
    next.resolve(reply);
  }

  /** Whether the process can run tasks. */
  get isUsable(): boolean {
    if (this.#reason !== undefined || !this.#hasChannel) return false;
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /**
   * Whether the process was killed from outside, such as by the kernel when the machine ran out of memory.
   */
  get wasKilledFromOutside(): boolean {
    return this.#reason === undefined && this.#process.signalCode === 'SIGKILL';
  }

  /** How the process ended, for the log. */
  get exitStatus(): string | number | null {
    return this.#process.signalCode ?? this.#process.exitCode;
  }

  /**
   * Runs a task.
   * @throws {ProcessLostError} if the process ends first.
   * @throws {UncloneableError} if the argument cannot be sent. The process stays usable.
   */
  run(call: Call): Promise<Reply> {
    this.#cpuMsBefore = cpuTimeMs(this.pid);
    return this.#ask(call);
  }

  /** Resolves when the process replies. @throws {ProcessLostError} */
  async ping(): Promise<void> {
    await this.#ask({ module: undefined, name: 'ping', input: null });
  }

  /** Makes the process return unused memory to the system. @throws {ProcessLostError} */
  async collectGarbage(): Promise<void> {
    await this.#ask({ module: undefined, name: 'collectGarbage', input: null });
  }

  async #ask(call: Call): Promise<Reply> {
    if (!this.#channel || !this.isUsable) throw new ProcessLostError(this.#reason ?? 'crash');
    if (this.#channel.send(call) > LARGE_BYTES) this.slowDown();
    const reply = Promise.withResolvers<Reply>();
    this.#waiting.push(reply);
    return await reply.promise;
  }

  /** Returns the resident memory in bytes and stores it in `residentBytes`. */
  async measure(): Promise<number> {
    this.residentBytes = await residentBytes(this.pid);
    return this.residentBytes;
  }

  /** Returns the CPU time of the current task. */
  async taskCpuMs(): Promise<number> {
    const [before, now] = await Promise.all([this.#cpuMsBefore, cpuTimeMs(this.pid)]);
    return now - before;
  }

  /** Lowers the priority of the process until `recover`. */
  slowDown(): void {
    if (this.#isSlowed) return;
    this.#isSlowed = true;
    setNiceness(this.pid, SLOW_TASK_NICENESS);
    setSessionNiceness(this.pid, SLOW_SESSION_NICENESS);
  }

  /** Restores the priority. Returns false if this is not permitted. */
  recover(): boolean {
    if (this.#isSlowed)
      this.#isSlowed = !setNiceness(this.pid, TASK_NICENESS) || !setSessionNiceness(this.pid, 0);
    return !this.#isSlowed;
  }

  /** Kills the process with SIGKILL. The first reason is kept. */
  kill(reason: ExitReason): void {
    this.#reason ??= reason;
    this.#process.kill('SIGKILL');
  }
}

// The stream is read to its end, because a full pipe would block the process.
async function tailOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of stream) tail = (tail + decoder.decode(chunk, { stream: true })).slice(-2_000);
  return tail.trim();
}
