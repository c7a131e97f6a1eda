// The MongoDB-compatible server for the tests: mongo-java-server, installed by Maven into a cache outside the
// repository. `node scripts/servers/mongo.mjs` prints the address and serves until it is stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installFromMaven } from './maven.mjs';

const VERSION = '1.47.0';
const source = join(dirname(fileURLToPath(import.meta.url)), 'MongoServer.java');

const artifact = { groupId: 'de.bwaldvogel', artifactId: 'mongo-java-server', version: VERSION };

/**
 * A running server. `stop` kills it, as a machine failure would; its data is lost.
 * @typedef {{ url: string, port: number, pid: number, stop: () => Promise<void> }} MongoServer
 */

/**
 * Installs the server if it is missing.
 * @returns {string} the folder that contains the jars
 * @throws {ServerMissingError}
 */
export function installMongo() {
  return installFromMaven(artifact, 'mongo-java-server');
}

/**
 * Installs the server if it is missing and starts it on 127.0.0.1. It ends when this process ends, if not
 * before.
 * @param {{ port?: number }} [options] the default is a free port
 * @returns {Promise<MongoServer>}
 * @throws {ServerMissingError}
 */
export async function startMongo({ port = 0 } = {}) {
  const jars = installMongo();
  // One thread only: the server returns its live document from findAndModify, and another thread could change
  // it before it is serialized.
  const child = spawn(
    'java',
    ['-Xmx256m', '-Dio.netty.eventLoopThreads=1', '-cp', join(jars, '*'), source, String(port)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  let complaint = '';
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => (complaint += chunk.toString()));
  for await (const line of createInterface(child.stdout)) {
    const bound = Number(/^port (\d+)$/.exec(line)?.[1]);
    if (!bound) continue;
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return { url: `mongodb://127.0.0.1:${bound}`, port: bound, pid: child.pid ?? 0, stop };
  }
  throw new Error(`mongo-java-server did not start: ${complaint.trim()}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startMongo({ port: Number(process.argv[2] ?? 0) });
  console.log(server.url);
}
