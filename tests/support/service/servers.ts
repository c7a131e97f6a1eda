import { ServerMissingError } from '../../../scripts/servers/maven.mjs';
import { startMongo } from '../../../scripts/servers/mongo.mjs';
import { onMongoAndS3 } from '../suite.ts';

/**
 * Prints the reason for a skip.
 * @throws {Error} if `REQUIRE_SERVERS=1` is set, which turns a skip into a failure.
 */
export function skip(reason: string): undefined {
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(`skipped: ${reason}`);
  console.log(`skipped: ${reason}`);
}

async function findMongo(): Promise<string | undefined> {
  const given = process.env['MONGODB_TEST_URL'];
  if (given) return given;
  try {
    // The server stops when its standard input closes, and so at the end of this process.
    return (await startMongo()).url;
  } catch (error) {
    if (error instanceof ServerMissingError) return skip(`MongoDB: ${error.message}`);
    throw error;
  }
}

let mongo: Promise<string | undefined> | undefined;

/**
 * Returns the URL of a new database on the MongoDB server of `MONGODB_TEST_URL`, or on a server that is
 * started for this process. Returns `undefined` in suites other than `servers`. If the server cannot be
 * installed, prints the reason and returns `undefined`.
 * @throws {Error} if the server cannot be installed and `REQUIRE_SERVERS=1` is set.
 */
export async function mongoServer(): Promise<{ url: string } | undefined> {
  if (!onMongoAndS3) return undefined;
  const server = await (mongo ??= findMongo());
  if (server === undefined) return undefined;
  const url = new URL(server);
  // MongoDB looks up credentials in the database of the URL unless `authSource` names another one.
  if (url.username && !url.searchParams.has('authSource'))
    url.searchParams.set('authSource', url.pathname.slice(1) || 'admin');
  url.pathname = `/platen_test_${crypto.randomUUID().replaceAll('-', '')}`;
  return { url: url.href };
}

/**
 * Returns the URL of a new database, for tests that run only with a MongoDB server.
 * @throws {Error} if no server runs
 */
export async function newMongoUrl(): Promise<string> {
  const server = await mongoServer();
  if (!server) throw new Error('there is no MongoDB server; the reason is above');
  return server.url;
}
