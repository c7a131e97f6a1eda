import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  SandboxError,
  startSandbox,
  type Sandbox,
  type SandboxOptions,
} from '../../../src/sandbox/sandbox.ts';
import { workContext } from '../../../src/work-context.ts';
import { until } from '../until.ts';

/** The module with the test tasks. */
export const TASKS = new URL('../../fixtures/tasks.ts', import.meta.url);

/** A sandbox for one test, with a folder for the marks of its tasks. */
export class TestSandbox implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly folder = mkdtempSync(join(tmpdir(), 'platen-test-'));

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  static async start(options: SandboxOptions = {}): Promise<TestSandbox> {
    return new TestSandbox(await startSandbox({ slots: 2, ...options }));
  }

  /** The tasks of `tests/fixtures/tasks.ts`. */
  get tasks() {
    return this.sandbox.load<typeof import('../../fixtures/tasks.ts')>(TASKS);
  }

  /** The file to which tasks append their names when they start. */
  get file(): string {
    return join(this.folder, 'marks');
  }

  /** The names of the started tasks, in order. */
  get marks(): string[] {
    try {
      return readFileSync(this.file, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }

  /** Waits until `count` tasks have started. */
  async started(count: number): Promise<void> {
    await until(() => this.marks.length >= count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits for a rejection and returns its reason. */
export async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `no rejection but ${JSON.stringify(await promise)}`;
  } catch (error) {
    return error instanceof SandboxError ? error.reason : String(error);
  }
}

/** Calls tasks on behalf of an account, as a request handler does. */
export function callAs<T>(account: string, call: () => T, signal?: AbortSignal): T {
  return workContext.run({ log: {}, account, urgency: 'caller', signal }, call);
}

/** Tells whether a process runs. A zombie does not count, although it still accepts signals. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
