import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { startMongo } from '../../scripts/servers/mongo.mjs';

/** Tells on one line what is skipped. @throws {Error} when `REQUIRE_SERVERS=1` makes a skip a failure. */
export function skip(reason: string): undefined {
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(`skipped: ${reason}`);
  console.log(`skipped: ${reason}`);
}

async function findMongo(): Promise<string | undefined> {
  const given = process.env['MONGODB_TEST_URL'];
  if (given) return given;
  try {
    // It ends with this process, whose end closes its standard input.
    return (await startMongo()).url;
  } catch (error) {
    if (error instanceof ServerMissingError) return skip(`MongoDB: ${error.message}`);
    throw error;
  }
}

let mongo: Promise<string | undefined> | undefined;

/**
 * Gives the URL of a database of the caller's own on the MongoDB server of `MONGODB_TEST_URL`, or on one that is started for this
 * process. `undefined` when there is none, which is then said on one line.
 * @throws {Error} when there is none and `REQUIRE_SERVERS=1`.
 */
export async function mongoServer(): Promise<{ url: string } | undefined> {
  const server = await (mongo ??= findMongo());
  if (server === undefined) return undefined;
  const url = new URL(server);
  // Credentials are looked up in the database of the URL unless it says otherwise.
  if (url.username && !url.searchParams.has('authSource'))
    url.searchParams.set('authSource', url.pathname.slice(1) || 'admin');
  url.pathname = `/platen_test_${crypto.randomUUID().replaceAll('-', '')}`;
  return { url: url.href };
}
