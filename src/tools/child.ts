import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { residentBytes } from './resident-memory.ts';
import { callChild, pingChild, type TaskCall, type TaskReply } from './transport.ts';

/** Why a child ended: the pool killed it for a task's deadline or memory, or to renew or close it; everything else is a crash. */
export type ExitReason = 'deadline' | 'memory' | 'crash' | 'renewed' | 'closed';

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url));
const FLAGS = ['--no-env-file', '--no-install'];
const SOCKET = 'tasks.sock';
const START_LIMIT_MS = 20_000;

// The whole environment of the child: nothing of the service's, which holds secrets.
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' };

/** One tool process that listens. */
export class Child {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly exited: Promise<ExitReason>;
  readonly startedAt = Date.now();
  /** How many tasks it was given. */
  taskCount = 0;
  /** As of the last `measure`. */
  residentBytes = 0;
  readonly #process: Bun.Subprocess;
  readonly #socketPath: string;
  #reason: ExitReason | undefined;

  private constructor(child: Bun.Subprocess, folder: string) {
    this.#process = child;
    this.#socketPath = join(folder, SOCKET);
    this.pid = child.pid;
    this.exited = child.exited.then(async () => {
      await remove(folder);
      return this.#reason ?? 'crash';
    });
  }

  /** Starts a child. @throws with the end of its standard error when it dies, or is not ready within 20 s. */
  static async start(threads: number): Promise<Child> {
    // Only this user can enter it. As the working directory it has no `.env` and no `bunfig.toml` for Bun to find.
    const folder = await mkdtemp(join(tmpdir(), 'platen-tools-'));
    const ready = Promise.withResolvers<void>();
    const child = Bun.spawn([process.execPath, ...FLAGS, HOST, join(folder, SOCKET), String(threads)], {
      cwd: folder,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
      ipc: () => ready.resolve(),
    });
    const errors = tailOf(child.stderr);
    const died = child.exited.then(async (code) => {
      throw new Error(
        `the tool process ended with ${child.signalCode ?? code} at its start: ${await errors}`,
      );
    });
    died.catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    try {
      await Promise.race([ready.promise, died]);
      return new Child(child, folder);
    } catch (error) {
      await remove(folder);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells whether tasks may be given to it. */
  get usable(): boolean {
    return this.#reason === undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Names how the process ended, for the log. */
  get exitStatus(): string | number | null {
    return this.#process.signalCode ?? this.#process.exitCode;
  }

  /** Runs a task; see `callChild`. */
  run(call: TaskCall): Promise<TaskReply> {
    this.taskCount += 1;
    return callChild(this.#socketPath, call);
  }

  /** Resolves when the child answers. */
  ping(signal: AbortSignal): Promise<void> {
    return pingChild(this.#socketPath, signal);
  }

  /** Reads the child's resident memory in bytes, and keeps it in `residentBytes`. */
  async measure(): Promise<number> {
    this.residentBytes = await residentBytes(this.pid);
    return this.residentBytes;
  }

  /** Kills the process with SIGKILL. The first reason stands. */
  kill(reason: ExitReason): void {
    this.#reason ??= reason;
    this.#process.kill('SIGKILL');
  }
}

// What stays behind in the temporary folder does no harm; the child removes it too when the service dies.
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

// Read to the end even when nobody asks: a full pipe would block the child.
async function tailOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of stream) tail = (tail + decoder.decode(chunk, { stream: true })).slice(-2_000);
  return tail.trim();
}
