import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FONT_SETTINGS } from '../support/fonts/fonts.ts';
import { until } from '../support/until.ts';

const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 10_000;
const ROOT = join(import.meta.dir, '..', '..');

/** A service that answers the requests of a scenario. */
export interface Target extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string;
  /** All output of its process; `undefined` if the process is not ours. */
  output(): string | undefined;
}

/** Starts a service with the environment of a scenario. */
export type StartTarget = (environment: Readonly<Record<string, string>>) => Promise<Target>;

/** Starts Platen with the plugin `gotenberg`. Requests without credentials belong to its first account. */
export const startPlaten: StartTarget = async (environment) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-gotenberg-'));
  const config = { plugins: { gotenberg: { account: 'admin@localhost' } } };
  await writeFile(join(dataDir, 'platen.config.json'), JSON.stringify(config));
  const child = startProcess(
    [process.execPath, '--no-install', '--no-env-file', join(ROOT, 'src', 'cli.ts'), 'serve'],
    { PORT: '0', DATA_DIR: dataDir, ...FONT_SETTINGS, ...environment },
    dataDir,
  );
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    await until(() => child.hasEnded() || child.output().includes('Platen listens on'), START_LIMIT_MS);
    const [, url] = /Platen listens on (http:\S+)/.exec(child.output()) ?? [];
    if (url === undefined) throw new Error(`Platen did not start: ${child.output()}`);
    return { url, output: child.output, [Symbol.asyncDispose]: () => child.end().then(remove) };
  } catch (error) {
    await child.end();
    await remove();
    throw error;
  }
};

/** Starts another program that reads Gotenberg's variables, such as Gotenberg. */
export function startCommand(command: readonly string[]): StartTarget {
  return async (environment) => {
    const port = freePort();
    const child = startProcess(
      command,
      { ...(process.env as Record<string, string>), ...environment, API_PORT: `${port}` },
      ROOT,
    );
    const url = `http://127.0.0.1:${port}`;
    const health = `${url}${environment['API_ROOT_PATH'] ?? '/'}health`;
    const isReady = () =>
      fetch(health).then(
        () => true,
        () => child.hasEnded(),
      );
    await until(isReady, START_LIMIT_MS);
    if (child.hasEnded()) throw new Error(`${command[0]} did not start: ${child.output()}`);
    return { url, output: child.output, [Symbol.asyncDispose]: () => child.end() };
  };
}

/** Uses a service that runs already. Its environment is its own. */
export function useUrl(url: string): StartTarget {
  return () =>
    Promise.resolve({
      url: url.replace(/\/$/, ''),
      output: () => undefined,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
}

function startProcess(command: readonly string[], environment: Record<string, string>, cwd: string) {
  const { PATH = '', HOME = '', CHROMIUM_PATH } = process.env;
  let text = '';
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH, HOME, ...(CHROMIUM_PATH !== undefined && { CHROMIUM_PATH }), ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  void collect(child.stdout);
  void collect(child.stderr);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    output: () => text,
    hasEnded,
    async end() {
      child.kill('SIGTERM');
      await until(hasEnded, END_LIMIT_MS).catch(() => child.kill('SIGKILL'));
      await child.exited;
    },
  };
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
