import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FONT_SETTINGS } from '../fonts/fonts.ts';

const root = join(import.meta.dir, '..', '..', '..');
const cli = [process.execPath, '--no-install', '--no-env-file', join(root, 'src', 'cli.ts')];

/** The result of `platen <args>`. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns the environment of a child process: only the defaults and the variables of the test. */
function childEnv(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', CHROMIUM_PATH } = process.env;
  return { PATH, HOME, ...(CHROMIUM_PATH && { CHROMIUM_PATH }), ...FONT_SETTINGS, ...env };
}

/** Runs `platen <args>` to its end. */
export function platen(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  return run([...cli, ...args], env);
}

/** Runs a TypeScript file of the tests to its end. The code of a killed process is 137. */
export function runProgram(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Finished> {
  return run([process.execPath, '--no-install', '--no-env-file', path, ...args], env);
}

/**
 * Runs `platen <args>` and returns its peak resident memory, which Linux reports every 20 ms. The peak in the
 * resource usage of a process that has ended is too high there: it is at least the peak of the parent.
 * @throws {Error} with its output if it fails
 */
export async function peakMemoryOf(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = Bun.spawn([...cli, ...args], { env: childEnv(env), stdout: 'ignore', stderr: 'pipe' });
  const stderr = new Response(child.stderr).text();
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
    await Bun.sleep(20);
  }
  if ((await child.exited) !== 0) throw new Error(await stderr);
  return peak > 0 ? peak : (child.resourceUsage()?.maxRSS ?? Number.NaN);
}

async function run(command: readonly string[], env: Record<string, string>): Promise<Finished> {
  const child = Bun.spawn([...command], {
    env: childEnv(env),
    cwd: env['DATA_DIR'] ?? root,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** A service in its own process, which a test can signal and kill. */
export class ServiceProcess {
  readonly #child;
  #stdout = '';
  #stderr = '';

  constructor(env: Record<string, string>, command: readonly string[] = [...cli, 'serve']) {
    this.#child = Bun.spawn([...command], {
      env: childEnv({ PORT: '0', ...env }),
      cwd: root,
      stdout: 'pipe',
      stderr: 'pipe',
      // Its own process group, for `killGroup`.
      detached: true,
    });
    void this.#collect(this.#child.stdout, (text) => (this.#stdout += text));
    void this.#collect(this.#child.stderr, (text) => (this.#stderr += text));
  }

  get pid(): number {
    return this.#child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Resolves with the URL when the service listens. @throws {Error} with its output if it ends first. */
  async ready(): Promise<string> {
    for (;;) {
      const [, url] = /Platen listens on (http:\S+)/.exec(this.#stdout) ?? [];
      if (url) return url;
      if (this.#child.exitCode !== null) throw new Error(`the service ended: ${this.#stderr}`);
      await Bun.sleep(20);
    }
  }

  /**
   * Resolves with the API key that the first start on a data directory prints.
   * @throws {Error} with its output if it ends first.
   */
  async firstKey(): Promise<string> {
    for (;;) {
      const [, key] = /shown only once\): (\S+)\n/.exec(this.#stdout) ?? [];
      if (key !== undefined) return key;
      if (this.#child.exitCode !== null) throw new Error(`the service ended: ${this.#stderr}`);
      await Bun.sleep(20);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends SIGKILL or another signal to the service's process group. */
  killGroup(signal: NodeJS.Signals = 'SIGKILL'): void {
    process.kill(-this.#child.pid, signal);
  }

  get exited(): Promise<number> {
    return this.#child.exited;
  }

  async #collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  }
}

/** A running process. */
export interface ListedProcess {
  pid: number;
  parent: number;
  command: string;
}

/** Lists the live processes that descend from a process. Linux only. */
export async function descendantsOf(ancestor: number): Promise<ListedProcess[]> {
  const all = await processesLike('');
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isDescendant = (pid: number) => {
    for (let at = parents.get(pid); at; at = parents.get(at)) if (at === ancestor) return true;
    return false;
  };
  return all.filter(({ pid }) => isDescendant(pid));
}

/** Lists the live processes whose command line contains a word. Linux only. */
export async function processesLike(word: string): Promise<ListedProcess[]> {
  const list = Bun.spawn(['ps', '-eo', 'pid=,ppid=,stat=,args='], { stdout: 'pipe' });
  const lines = (await new Response(list.stdout).text()).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found?.[4]?.includes(word) && !found[3]?.startsWith('Z')
        ? [{ pid: Number(found[1]), parent: Number(found[2]), command: found[4] }]
        : [],
    );
}

/** Sends a JSON request to a service in another process; a POST if it has a body. */
export async function callJson(url: string, path: string, key: string, body?: object) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
  const read: any = await response.json();
  return { status: response.status, body: read };
}
