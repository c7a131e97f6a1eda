// The S3 server for the tests: versitygw, built with Go from a pinned version in a cache outside the
// repository. `node scripts/servers/s3.mjs` starts a server and prints the settings for it.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache-folder.mjs';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw';
const VERSION = 'v1.8.0';
const REGION = 'us-east-1';
const BUILD_TIMEOUT_MS = 15 * 60 * 1000;
const START_TIMEOUT_MS = 10_000;

/**
 * Runs the server until standard input ends, which also happens when the parent process is killed. Then kills
 * the server and deletes its data, unless the last line of input was `keep`.
 */
const KEEPER = `
folder=$1; shift
"$@" > /dev/null 2>&1 &
server=$!
echo $server
read -r word
kill -9 $server
wait $server
[ "$word" = keep ] || rm -rf "$folder"
`;

/**
 * A running server, whose buckets are folders.
 * @typedef {object} S3Server
 * @property {string} endpoint
 * @property {string} region
 * @property {string} accessKeyId
 * @property {string} secretAccessKey
 * @property {(name: string) => void} makeBucket
 * @property {() => Promise<void>} stop kills the server and keeps its data
 * @property {() => Promise<void>} restart starts a stopped server on the same port with its data
 * @property {() => void} pause suspends the server
 * @property {() => void} resume
 * @property {() => Promise<void>} dispose kills the server and deletes its data
 */

/**
 * Builds the server if it is not in the cache.
 * @returns {Promise<string>} the path of the executable
 * @throws {Error} when Go is missing or cannot build it; the message is one line
 */
export async function installS3Server() {
  const folder = join(cacheFolder(), `versitygw-${VERSION}`);
  const executable = join(folder, 'versitygw');
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  // Building in a separate folder and renaming keeps concurrent builds from seeing an incomplete file.
  const building = mkdtempSync(join(folder, 'building-'));
  try {
    await goInstall(building);
    renameSync(join(building, 'versitygw'), executable);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return executable;
}

/** @returns {Promise<void>} */
function goInstall(/** @type {string} */ folder) {
  return new Promise((resolve, reject) => {
    const go = spawn('go', ['install', `${MODULE}@${VERSION}`], {
      // A folder without a go.mod, so that a surrounding workspace has no effect.
      cwd: folder,
      env: { ...process.env, GOBIN: folder, GOFLAGS: '', CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_TIMEOUT_MS,
    });
    go.on('spawn', () =>
      console.error('platen setup: building the S3 server for the tests (Go); this takes several minutes'),
    );
    let output = '';
    go.stderr.on('data', (piece) => (output += piece));
    go.on('error', () =>
      reject(new Error('building the S3 server for the tests needs Go, which is not installed')),
    );
    go.on('close', (code) => {
      const last = output.trim().split('\n').at(-1);
      if (code === 0) resolve();
      else reject(new Error(`Go could not build the S3 server for the tests: ${last}`));
    });
  });
}

/**
 * Starts an empty server on a free port of 127.0.0.1. It ends when this process ends, if not before.
 * @param {{ readOnly?: boolean }} [options] `readOnly` rejects all writes
 * @returns {Promise<S3Server>}
 */
export async function startS3Server({ readOnly = false } = {}) {
  const executable = await installS3Server();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const directory = mkdtempSync(join(tmpdir(), 'platen-s3-'));
  const accessKeyId = `key${randomBytes(6).toString('hex')}`;
  const secretAccessKey = randomBytes(20).toString('hex');
  const [buckets, metadata] = [join(directory, 'buckets'), join(directory, 'metadata')];
  for (const folder of [buckets, metadata]) mkdirSync(folder);

  const run = async () => {
    const args = [
      '--port',
      `127.0.0.1:${port}`,
      '--region',
      REGION,
      '--quiet',
      ...(readOnly ? ['--readonly'] : []),
    ];
    // Metadata in separate files, because the file system of a temporary folder may not support extended
    // attributes.
    const command = [executable, ...args, 'posix', '--sidecar', metadata, buckets];
    const keeper = spawn('sh', ['-c', KEEPER, 'keeper', directory, ...command], {
      env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
      cwd: tmpdir(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    keeper.unref();
    const pid = await new Promise((resolve) => keeper.stdout.once('data', (line) => resolve(Number(line))));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await answers(endpoint))) {
      if (Date.now() > deadline) {
        keeper.stdin.end();
        throw new Error('the S3 server for the tests did not start');
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return { pid, keeper };
  };

  let running = await run();
  /** @returns {Promise<void>} */
  const end = (/** @type {string} */ lastWord) => {
    const { keeper } = running;
    keeper.ref();
    const ended = new Promise((/** @type {(value: void) => void} */ resolve) =>
      keeper.once('exit', () => resolve()),
    );
    keeper.stdin.end(lastWord);
    return ended;
  };
  return {
    endpoint,
    region: REGION,
    accessKeyId,
    secretAccessKey,
    makeBucket(name) {
      mkdirSync(join(buckets, name));
    },
    stop: () => end('keep\n'),
    async restart() {
      running = await run();
    },
    pause: () => void process.kill(running.pid, 'SIGSTOP'),
    resume: () => void process.kill(running.pid, 'SIGCONT'),
    dispose: () => end(''),
  };
}

/** @returns {Promise<boolean>} */
function answers(/** @type {string} */ endpoint) {
  return fetch(endpoint, { signal: AbortSignal.timeout(1000) }).then(
    () => true,
    () => false,
  );
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startS3Server();
  const bucket = `platen-${randomUUID().slice(0, 8)}`;
  server.makeBucket(bucket);
  console.log(`S3_ENDPOINT=${server.endpoint}`);
  console.log(`S3_BUCKET=${bucket}`);
  console.log(`S3_ACCESS_KEY_ID=${server.accessKeyId}`);
  console.log(`S3_SECRET_ACCESS_KEY=${server.secretAccessKey}`);
  const keepAlive = setInterval(() => {}, 60_000);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clearInterval(keepAlive);
      void server.dispose();
    });
  }
}
