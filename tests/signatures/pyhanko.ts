import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { installPyHanko } from '../../scripts/servers/pyhanko.mjs';
import { skip } from '../support/service/servers.ts';
import { isThorough } from '../support/suite.ts';

/** Enough time for a busy machine to sign or to validate all files. */
export const TIMEOUT_MS = 900_000;

let python: string | undefined;

/**
 * Tells whether pyHanko and certomancer are installed, installing them if possible. Otherwise prints one
 * line. Returns false in `npm test`.
 * @throws {Error} if they are unavailable and `REQUIRE_SERVERS=1` is set
 */
export function requirePyHanko(): boolean {
  if (!isThorough) return false;
  try {
    python ??= installPyHanko();
    return true;
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    skip(`pyHanko: ${error.message}`);
    return false;
  }
}

/**
 * Runs a script of this folder. Returns the JSON that it prints.
 * @throws {Error} with its messages if it fails
 */
export async function runPython<T>(script: string, ...args: string[]): Promise<T> {
  const child = Bun.spawn([(python ??= installPyHanko()), join(import.meta.dir, script), ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, messages, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`${script} ended with status ${status}: ${messages}`);
  return JSON.parse(output);
}

/**
 * A test PKI of certomancer: a root, an intermediate, signers, revocation lists, OCSP and a time stamping
 * authority on loopback.
 */
export interface TestPki {
  /**
   * Contains `<name>.cert.pem` of every certificate, and `<name>.p12` of every signer, with the password
   * `secret`.
   */
  folder: string;
  /** The host and port of the servers. */
  host: string;
  tsaUrl: string;
  /** The certificate of the root in PEM. */
  root: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a PKI with new keys, and starts its servers. They end with this process at the latest. */
export async function startPki(): Promise<TestPki> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pki-'));
  const command = [(python ??= installPyHanko()), join(import.meta.dir, 'pki.py'), 'serve', folder];
  // The servers end when their standard input does.
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
  const port = await readLine(child.stdout);
  if (port === '') throw new Error(`the PKI did not start: ${await new Response(child.stderr).text()}`);
  const host = `127.0.0.1:${port}`;
  return {
    folder,
    host,
    tsaUrl: `http://${host}/test/tsa/tsa`,
    root: await readFile(join(folder, 'root.cert.pem'), 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const part of stream) {
    text += Buffer.from(part).toString();
    if (text.includes('\n')) break;
  }
  return text.trim();
}
