import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Browser } from 'playwright-core';
import { setSessionNiceness } from '@platen/runtime';
import { BrowserPipe, type OnExcess } from './browser-pipe.ts';
import { fontEnvironment } from './font-config.ts';
import type { DirectSession } from './page-session.ts';

export interface LaunchOptions {
  executablePath: string;
  flags: readonly string[];
  /** How much the browser yields to other processes: 0 to 19, as for `nice`. */
  niceness: number;
  /** The path of the fontconfig file. */
  fontConfig: string;
}

/** A browser process and Playwright's connection to it. */
export interface LaunchedBrowser {
  browser: Browser;
  /**
   * Watches a browser page for messages that exceed the limits of the pipe, until the returned function is
   * called.
   */
  watch: (targetId: string, onExcess: OnExcess) => () => void;
  /** See {@link BrowserPipe.takeOver}. */
  takeOver: (targetId: string) => DirectSession;
  /** Aborts when the browser has ended, before its commands fail. */
  ended: AbortSignal;
  /** Closes the browser, or kills it when that takes too long, and removes its folder. */
  close(): Promise<void>;
  kill(): void;
}

/** Thrown when a browser does not start. The message contains the end of its output. */
export class LaunchError extends Error {
  override name = 'LaunchError';
}

/** Thrown when a browser is killed while it starts. The next start may succeed. */
export class KilledAtStartError extends LaunchError {
  override name = 'KilledAtStartError';
}

const LAUNCH_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** How long a browser may take to end after its pipes have failed. */
const EXIT_TIMEOUT_MS = 1_000;
const OUTPUT_CHARACTERS = 4_000;
/**
 * The niceness of the session of a browser that yields to others: a tenth of the CPU time when another
 * session needs all of it.
 */
const NICE_SESSION = 10;
const FOLDER_PREFIX = 'platen-browser-';

/** The folders of the browsers of this process. */
const ownFolders = new Set<string>();

/**
 * Starts a browser and connects to it through a {@link BrowserPipe}. The browser has its own folder, which is
 * removed when it ends.
 * @throws {LaunchError}
 * @throws {KilledAtStartError}
 */
export async function launchBrowser({
  executablePath,
  flags,
  niceness,
  fontConfig,
}: LaunchOptions): Promise<LaunchedBrowser> {
  const folder = makeFolder();
  const command = niceness > 0 ? ['nice', '-n', String(niceness), executablePath] : [executablePath];
  const [program = executablePath, ...args] = command;
  const child = spawn(program, [...args, ...flags, `--user-data-dir=${folder}`], {
    // The browser has its own session: a signal to the service's group does not end it, and it can be killed
    // with all its pages.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: browserEnvironment(folder, fontConfig),
  });
  // As root, Chromium resets the niceness of some of its threads, but not the niceness of its session.
  if (niceness > 0 && child.pid !== undefined) setSessionNiceness(child.pid, NICE_SESSION);
  const output = keepEnd(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).then(() => removeFolder(folder));
  const kill = (): void => killGroup(child);
  const [, , , toBrowser, fromBrowser] = child.stdio as [null, null, Readable, Writable, Readable];
  const ended = new AbortController();
  const pipe = new BrowserPipe({
    input: fromBrowser,
    output: toBrowser,
    onClose: kill,
    onEnd: () => ended.abort(new Error('the browser crashed')),
  });
  const close = async (): Promise<void> => {
    pipe.closeBrowser();
    const late = setTimeout(kill, CLOSE_TIMEOUT_MS);
    await exited;
    clearTimeout(late);
  };
  try {
    // The commands of the command line need no browser, and loading Playwright takes 0.2 s.
    const { chromium } = await import('playwright-core');
    const connecting = chromium.connectOverCDP(pipe, { timeout: LAUNCH_TIMEOUT_MS, artifactsDir: folder });
    // Playwright may wait for a browser that has ended.
    const failed = exited.then(() => Promise.reject(new Error('the browser ended')));
    const browser = await Promise.race([connecting, failed]);
    const watch: LaunchedBrowser['watch'] = (targetId, onExcess) => pipe.watch(targetId, onExcess);
    const takeOver: LaunchedBrowser['takeOver'] = (targetId) => pipe.takeOver(targetId);
    return { browser, watch, takeOver, ended: ended.signal, close, kill };
  } catch (cause) {
    // The pipes of a killed browser close before its exit is known.
    let isRunning = false;
    const late = setTimeout(() => {
      isRunning = true;
      kill();
    }, EXIT_TIMEOUT_MS);
    await exited;
    clearTimeout(late);
    const LaunchFailure = !isRunning && child.signalCode !== null ? KilledAtStartError : LaunchError;
    throw new LaunchFailure(`the browser did not start: ${output()}`, { cause });
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * Keeps the end of the browser's output for the message of a failed start. Reads all of the output, so that
 * the pipe never fills up.
 */
function keepEnd(child: ChildProcess): () => string {
  let end = '';
  child.stderr?.setEncoding('latin1');
  child.stderr?.on('data', (text: string) => {
    end = (end + text).slice(-OUTPUT_CHARACTERS);
  });
  return () => end.trim();
}

/**
 * Returns the variables that a browser needs to find libraries, fonts and the time zone. The service's own
 * variables may contain secrets.
 */
function browserEnvironment(folder: string, fontConfig: string): Record<string, string> {
  return {
    ...fontEnvironment(fontConfig),
    TMPDIR: folder,
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Creates a folder for a browser, and removes the folders of services that were killed. */
function makeFolder(): string {
  for (const name of readdirSync(tmpdir())) if (isOrphaned(name)) removeFolder(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  ownFolders.add(folder);
  return folder;
}

function isOrphaned(name: string): boolean {
  if (!name.startsWith(FOLDER_PREFIX)) return false;
  const pid = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
  // In a container, the service has the same process id after every start.
  return pid === process.pid ? !ownFolders.has(join(tmpdir(), name)) : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function removeFolder(folder: string): void {
  ownFolders.delete(folder);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user owns a file, or a dying process still writes one. The next start tries again.
  }
}
