import { randomUUID } from 'node:crypto';
import { startS3Server } from '../../../scripts/servers/s3.mjs';
import { onMongoAndS3 } from '../suite.ts';

type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** The settings of a service that uses the S3 test server. */
export interface S3Access {
  env: Record<string, string>;
}

let started: Promise<S3Server | undefined> | undefined;

/**
 * Returns a new bucket on an S3 server that all tests of this process share. With `S3_TEST_ENDPOINT`,
 * `S3_TEST_BUCKET`, `S3_TEST_REGION`, `S3_TEST_ACCESS_KEY_ID` and `S3_TEST_SECRET_ACCESS_KEY`, returns a new
 * prefix in that bucket instead. Returns `undefined` in suites other than `servers`. Without Go, prints one
 * line and returns `undefined`. The first call on a machine builds the server, which takes minutes.
 * @throws {Error} if there is no server and `REQUIRE_SERVERS=1` is set.
 */
export async function s3Server(): Promise<S3Access | undefined> {
  if (!onMongoAndS3) return undefined;
  const name = `platen-${randomUUID()}`;
  const { S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_REGION } = process.env;
  if (S3_TEST_ENDPOINT) {
    return {
      env: {
        S3_ENDPOINT: S3_TEST_ENDPOINT,
        S3_REGION: S3_TEST_REGION ?? 'us-east-1',
        S3_BUCKET: S3_TEST_BUCKET ?? 'platen',
        S3_PREFIX: `${name}/`,
        S3_ACCESS_KEY_ID: process.env['S3_TEST_ACCESS_KEY_ID'] ?? '',
        S3_SECRET_ACCESS_KEY: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? '',
      },
    };
  }
  started ??= startOrSkip();
  const server = await started;
  if (!server) return undefined;
  server.makeBucket(name);
  return { env: { ...settingsOf(server), S3_BUCKET: name } };
}

/**
 * Starts a server on an empty folder for one test to stop and restart; `undefined` where {@link s3Server}
 * returns `undefined`.
 */
export async function ownS3Server(
  options: Parameters<typeof startS3Server>[0] = {},
): Promise<S3Server | undefined> {
  if (!onMongoAndS3) return undefined;
  started ??= startOrSkip();
  return (await started) && startS3Server(options);
}

/** Returns the settings of a server, without a bucket. */
export function settingsOf(server: S3Server): Record<string, string> {
  return {
    S3_ENDPOINT: server.endpoint,
    S3_REGION: server.region,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

async function startOrSkip(): Promise<S3Server | undefined> {
  try {
    return await startS3Server();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env['REQUIRE_SERVERS'] === '1')
      throw new Error(`REQUIRE_SERVERS=1, but ${reason}`, { cause: error });
    console.log(`skipped: S3 (${reason})`);
    return undefined;
  }
}
