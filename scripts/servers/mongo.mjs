// A server of the MongoDB protocol for tests: mongo-java-server, installed by Maven into a cache outside the tree.
// `node scripts/servers/mongo.mjs` serves until it is stopped and prints the address.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const VERSION = '1.47.0';
const INSTALL_LIMIT_MS = 180_000;
const source = join(dirname(fileURLToPath(import.meta.url)), 'MongoServer.java');

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>platen</groupId><artifactId>test-servers</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>de.bwaldvogel</groupId><artifactId>mongo-java-server</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>`;
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** Thrown when the server cannot be had on this machine; the message is one line. */
export class ServerMissingError extends Error {}

/**
 * A server that runs. `stop` ends it at once, as the loss of its machine would; what it held is gone.
 * @typedef {{ url: string, port: number, pid: number, stop: () => Promise<void> }} MongoServer
 */

/**
 * Installs the server where it is missing and starts it on 127.0.0.1. It ends with this process at the latest.
 * @param {{ port?: number }} [options] without a port it takes a free one
 * @returns {Promise<MongoServer>}
 * @throws {ServerMissingError}
 */
export async function startMongo({ port = 0 } = {}) {
  const jars = install();
  // The server answers findAndModify with its live document, which another thread would change before it is written out.
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

/** @returns {string} the folder of the jars */
function install() {
  const cache = cacheFolder();
  const jars = join(cache, `mongo-java-server-${VERSION}`);
  if (!hasCommand('java')) throw new ServerMissingError('no java for mongo-java-server');
  if (existsSync(jars)) return jars;
  if (!hasCommand('mvn')) throw new ServerMissingError('no mvn to install mongo-java-server');
  const work = mkdtempSync(join(cache, 'installing-'));
  try {
    writeFileSync(join(work, 'pom.xml'), pom);
    const words = ['-q', '-B', copyDependencies, `-DoutputDirectory=${join(work, 'jars')}`];
    const maven = spawnSync('mvn', [...words, '-DincludeScope=runtime'], {
      cwd: work,
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    if (maven.status !== 0)
      throw new ServerMissingError('Maven could not install mongo-java-server; is the machine offline?');
    // Of two processes that install at once the first one's folder stays.
    if (!existsSync(jars)) renameSync(join(work, 'jars'), jars);
  } catch (error) {
    if (!existsSync(jars)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return jars;
}

/** @returns {string} a folder outside the tree that outlives the process */
function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  for (const folder of [join(base, 'platen'), join(tmpdir(), 'platen-cache')]) {
    try {
      mkdirSync(folder, { recursive: true });
      return folder;
    } catch {
      // The next one may be writable.
    }
  }
  throw new ServerMissingError('no folder for a cache can be made');
}

function hasCommand(/** @type {string} */ name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startMongo({ port: Number(process.argv[2] ?? 0) });
  console.log(server.url);
}
