import { chmod, chown, mkdir, open, rm, symlink, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { setNiceness, TASK_NICENESS } from '@platen/runtime';
import {
  commandOf,
  DEPTH,
  ENVIRONMENT,
  UNPRIVILEGED_ID,
  type ProcessPaths,
  type ProcessSetup,
} from './command.ts';
import type { Installation } from './installation.ts';
import { memoryOfTree } from './memory.ts';
import { encodeRequest, type DriverRequest } from './request.ts';

/** Limits of a process. */
export interface ProcessLimits {
  timeoutMs: number;
  memoryBytes: number;
  maxResultBytes: number;
}

/** A document to convert. */
export interface OfficeJob extends Omit<DriverRequest, 'source' | 'result'> {
  file: Uint8Array;
  /** The name of the file without its ending. LibreOffice prints it above tables in CSV. */
  name?: string | undefined;
  /** The ending of the document's type, without a dot. */
  extension: string;
  signal: AbortSignal | undefined;
}

/**
 * The end of a conversion: the PDF, or the reason why there is none. `password` and `wrong-password` ask for
 * one, `broken` is damaged beyond a plain reading, `unreadable` is refused by the import filter, `failed` by
 * a later step. The others name the limit that was met.
 */
export type Outcome =
  | { ok: true; pdf: Uint8Array; paths: ProcessPaths }
  | {
      ok: false;
      reason: 'password' | 'wrong-password' | 'unreadable' | 'failed' | 'crash' | LimitName;
      detail: string;
    };
type LimitName = 'time' | 'memory' | 'size';

const START_LIMIT_MS = 60_000;
const MEMORY_CHECK_MS = 50;
const MAX_ANSWER_BYTES = 2_000;
const MAX_NAME_CHARACTERS = 60;

/** A LibreOffice process, which waits until it converts one document. */
export class OfficeProcess {
  /** Resolves when the process and its children have ended. */
  readonly ended: Promise<void>;
  readonly #child: Bun.Subprocess;
  readonly #listener: Bun.UnixSocketListener<undefined>;
  readonly #folder: string;
  readonly #setup: ProcessSetup;
  readonly #paths: ProcessPaths;
  readonly #connected = Promise.withResolvers<Bun.Socket>();
  readonly #answered = Promise.withResolvers<string>();
  #answer = '';

  private constructor(installation: Installation, folder: string, setup: ProcessSetup) {
    this.#folder = folder;
    this.#setup = setup;
    this.#connected.promise.catch(() => {});
    this.#answered.promise.catch(() => {});
    this.#listener = Bun.listen({
      unix: setup.socket,
      socket: {
        open: (socket) => this.#connected.resolve(socket),
        data: (_, bytes) => this.#receive(bytes),
        error: () => {},
      },
    });
    const { command, paths } = commandOf(installation, setup);
    this.#paths = paths;
    this.#child = Bun.spawn(command, {
      cwd: '/',
      env: ENVIRONMENT,
      // Leads a process group, which is killed as a whole.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    setNiceness(this.#child.pid, TASK_NICENESS);
    this.ended = this.#child.exited.then(() => this.#cleanUp());
  }

  /** Starts a process in a folder of its own below `root`. @throws {Error} if it is not ready within 30 s */
  static async start(
    installation: Installation,
    { root, template, passwd }: { root: string; template: string; passwd: string },
    { memoryBytes }: ProcessLimits,
  ): Promise<OfficeProcess> {
    const id = randomBytes(12).toString('hex');
    const folder = join(root, id);
    const isolated = installation.isolation === 'bwrap';
    const setup: ProcessSetup = {
      template,
      passwd,
      inbox: join(folder, 'in'),
      result: join(folder, 'result.pdf'),
      scratch: join(folder, 'scratch'),
      // Without a view of its own, LibreOffice looks for the socket in /tmp.
      socket: isolated ? join(folder, 'socket') : socketOf(id),
      pipeName: isolated ? 'platen' : `platen${id}`,
      memoryBytes,
    };
    await prepareFolder(folder, setup, isolated);
    const started = new OfficeProcess(installation, folder, setup);
    // The user of the process connects; the folder or the name of the socket is known to nobody else.
    await chmod(setup.socket, 0o777);
    await started.#untilReady();
    return started;
  }

  async #untilReady(): Promise<void> {
    const timer = setTimeout(() => this.kill(), START_LIMIT_MS);
    const died = this.ended.then(() => {
      throw new Error('a LibreOffice process ended while it started');
    });
    died.catch(() => {});
    try {
      await Promise.race([this.#connected.promise, died]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the process waits for a document. */
  get isUsable(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Converts one document, and ends the process. @throws the reason of the signal when it aborts */
  async convert(job: OfficeJob, limits: ProcessLimits): Promise<Outcome> {
    job.signal?.throwIfAborted();
    let met: LimitName | undefined;
    const stop = (limit: LimitName) => {
      met ??= limit;
      this.kill();
    };
    const timer = setTimeout(() => stop('time'), limits.timeoutMs);
    let peakBytes = 0;
    const measure = async () => {
      const bytes = await memoryOfTree(this.#child.pid);
      peakBytes = Math.max(peakBytes, bytes);
      if (bytes > limits.memoryBytes) stop('memory');
    };
    // The kernel can refuse memory before the service sees that it is used.
    const isNearLimit = () => peakBytes > 0.8 * limits.memoryBytes;
    const watch = setInterval(() => void measure(), MEMORY_CHECK_MS);
    const onAbort = () => this.kill();
    job.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const name = fileNameOf(job);
      await writeFile(join(this.#setup.inbox, DEPTH, name), job.file, { mode: 0o444 });
      const socket = await this.#connected.promise;
      socket.write(
        encodeRequest({ ...job, source: `${this.#paths.folder}${name}`, result: this.#paths.result }),
      );
      const answer = await Promise.race([this.#answered.promise, this.ended.then(() => undefined)]);
      job.signal?.throwIfAborted();
      if (met) return { ok: false, reason: met, detail: '' };
      if (answer === undefined) {
        const { size } = await Bun.file(this.#setup.result)
          .stat()
          .catch(() => ({ size: 0 }));
        if (size > limits.maxResultBytes) return { ok: false, reason: 'size', detail: '' };
        return { ok: false, reason: isNearLimit() ? 'memory' : 'crash', detail: '' };
      }
      if (answer.trim() !== 'done')
        return isNearLimit() ? { ok: false, reason: 'memory', detail: answer } : readFailure(answer.trim());
      const pdf = await readResult(this.#setup.result, limits.maxResultBytes);
      return pdf ? { ok: true, pdf, paths: this.#paths } : { ok: false, reason: 'size', detail: '' };
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      job.signal?.removeEventListener('abort', onAbort);
      this.kill();
      await this.ended;
    }
  }

  /** Ends the process with all its children. */
  kill(): void {
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#answer.length > MAX_ANSWER_BYTES) return this.kill();
    this.#answer += Buffer.from(bytes).toString('latin1');
    const end = this.#answer.indexOf('\n');
    if (end !== -1) this.#answered.resolve(this.#answer.slice(0, end));
  }

  async #cleanUp(): Promise<void> {
    this.#listener.stop(true);
    await rm(this.#folder, { recursive: true, force: true });
    if (!this.#setup.socket.startsWith(this.#folder)) await removeSockets(this.#folder);
  }
}

/** The name of a document on disk, of at most 255 bytes. */
function fileNameOf({ name = 'document', extension }: OfficeJob): string {
  return `${Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('')}.${extension}`;
}

/** The id of the user as whom LibreOffice runs. */
function officeUserId(): number {
  return process.getuid?.() === 0 ? UNPRIVILEGED_ID : (process.getuid?.() ?? UNPRIVILEGED_ID);
}

/** The socket of the service, where LibreOffice looks for it without a view of its own. */
function socketOf(id: string): string {
  return `/tmp/OSL_PIPE_${officeUserId()}_platen${id}`;
}

/** The name of the socket for a user whom the system does not know. */
function plainNameOf(id: string): string {
  return `/tmp/OSL_PIPE_platen${id}`;
}

/** Removes the sockets of a process without a view of its own, which has ended. */
export async function removeSockets(folder: string): Promise<void> {
  const id = basename(folder);
  for (const path of [socketOf(id), plainNameOf(id), ownPipeOf(`${folder}/scratch/profile`)])
    await rm(path, { force: true });
}

/** The name of the socket that LibreOffice opens for a profile, and leaves behind when it is killed. */
function ownPipeOf(profile: string): string {
  const digest = createHash('md5')
    .update(Buffer.from(`file://${profile}`, 'utf16le'))
    .digest();
  const key = [...digest].map((byte) => byte.toString(16)).join('');
  return `/tmp/OSL_PIPE_${officeUserId()}_SingleOfficeIPC_${key}`;
}

async function prepareFolder(folder: string, setup: ProcessSetup, isolated: boolean): Promise<void> {
  await mkdir(join(setup.inbox, DEPTH), { recursive: true, mode: 0o755 });
  await writeFile(setup.result, '');
  if (isolated) return;
  await mkdir(setup.scratch, { mode: 0o700 });
  await symlink(setup.socket, plainNameOf(basename(folder)));
  if (process.getuid?.() !== 0) return;
  for (const path of [setup.scratch, setup.result]) await chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  await chmod(folder, 0o711);
}

function readFailure(answer: string): Outcome {
  const [, mode, rest = answer] = /^password (\d) (.*)$/.exec(answer) ?? [];
  // com.sun.star.task.PasswordRequestMode: 1 asks for a password, 2 again after a wrong one.
  if (mode !== undefined)
    return { ok: false, reason: mode === '2' ? 'wrong-password' : 'password', detail: rest };
  if (rest.startsWith('unreadable') || rest.startsWith('failed load '))
    return { ok: false, reason: 'unreadable', detail: rest };
  return { ok: false, reason: 'failed', detail: rest };
}

/**
 * Reads the result. The process may have been taken over by its document, so the path must be a plain file
 * and no link. Returns `undefined` for a file that is too large.
 */
async function readResult(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
