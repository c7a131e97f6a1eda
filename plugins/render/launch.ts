import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromium, type Browser } from 'playwright-core';
import { BrowserPipe, type OnExcess } from './browser-pipe.ts';

/** How a browser is started. */
export interface LaunchOptions {
  executablePath: string;
  flags: readonly string[];
  /** How much the browser yields to other processes when processors are scarce: 0 to 19, as for `nice`. */
  niceness: number;
}

/** A browser process and Playwright's connection to it. */
export interface LaunchedBrowser {
  browser: Browser;
  /** Watches a page for messages beyond the pipe's limits, until the returned function is called. */
  watch: (targetId: string, onExcess: OnExcess) => () => void;
  /** Ends the browser in good order, or by force when it takes too long, and removes its folder. */
  close(): Promise<void>;
  /** Ends the browser and its pages at once. */
  kill(): void;
}

/** Thrown when a browser does not start; the message holds the end of its output. */
export class LaunchError extends Error {
  override name = 'LaunchError';
}

const LAUNCH_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 2_000;
const OUTPUT_CHARACTERS = 4_000;
const FOLDER_PREFIX = 'platen-browser-';

/** The folders of this process's browsers. */
const ownFolders = new Set<string>();

/**
 * Starts a browser and connects to it through a {@link BrowserPipe}. Its files are in a folder of its own, which ends with it.
 * @throws {LaunchError}
 */
export async function launchBrowser({
  executablePath,
  flags,
  niceness,
}: LaunchOptions): Promise<LaunchedBrowser> {
  const folder = makeFolder();
  const command = niceness > 0 ? ['nice', '-n', String(niceness), executablePath] : [executablePath];
  const [program = executablePath, ...words] = command;
  const child = spawn(program, [...words, ...flags, `--user-data-dir=${folder}`], {
    // A process group of its own: a signal to the service's group must not end it, and it is killed with all its pages.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: browserEnvironment(folder),
  });
  const output = keepEnd(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).then(() => removeFolder(folder));
  const kill = (): void => killGroup(child);
  const [, , , toBrowser, fromBrowser] = child.stdio as [null, null, Readable, Writable, Readable];
  const pipe = new BrowserPipe({ input: fromBrowser, output: toBrowser, onClose: kill });
  const close = async (): Promise<void> => {
    pipe.closeBrowser();
    const late = setTimeout(kill, CLOSE_TIMEOUT_MS);
    await exited;
    clearTimeout(late);
  };
  try {
    const browser = await chromium.connectOverCDP(pipe, { timeout: LAUNCH_TIMEOUT_MS, artifactsDir: folder });
    const watch: LaunchedBrowser['watch'] = (targetId, onExcess) => pipe.watch(targetId, onExcess);
    return { browser, watch, close, kill };
  } catch (cause) {
    kill();
    await exited;
    throw new LaunchError(`the browser does not start: ${output()}`, { cause });
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Keeps the end of what a browser prints, for the message of one that does not start. The pipe is always read, so that it never fills up. */
function keepEnd(child: ChildProcess): () => string {
  let end = '';
  child.stderr?.setEncoding('latin1');
  child.stderr?.on('data', (text: string) => {
    end = (end + text).slice(-OUTPUT_CHARACTERS);
  });
  return () => end.trim();
}

/** Names the variables that a browser needs to find its libraries, the user's fonts and the time zone; the service's own hold secrets. */
function browserEnvironment(folder: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: homedir(),
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Makes a folder for a browser, and removes those that services left behind which were killed. */
function makeFolder(): string {
  for (const name of readdirSync(tmpdir())) if (isLeftBehind(name)) removeFolder(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  ownFolders.add(folder);
  return folder;
}

function isLeftBehind(name: string): boolean {
  if (!name.startsWith(FOLDER_PREFIX)) return false;
  const pid = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
  // A container gives the same id to the service at each of its starts.
  return pid === process.pid ? !ownFolders.has(join(tmpdir(), name)) : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function removeFolder(folder: string): void {
  ownFolders.delete(folder);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A file that another user owns, or that a dying process still writes: the next start tries again.
  }
}
