import { randomUUID } from 'node:crypto';
import { startS3Server } from '../../scripts/servers/s3.mjs';

type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** How to open a place of one's own in the S3 server of the tests: the settings of a service. */
export interface S3Place {
  env: Record<string, string>;
}

let started: Promise<S3Server | undefined> | undefined;

/**
 * Gives a bucket of its own on an S3 server that all tests of this process share and that ends with it, or, with `S3_TEST_ENDPOINT`,
 * `S3_TEST_BUCKET`, `S3_TEST_REGION`, `S3_TEST_ACCESS_KEY_ID` and `S3_TEST_SECRET_ACCESS_KEY`, a prefix of its own in that bucket.
 * Without Go the result is `undefined`, after one line that says so. The first call on a machine builds the server: minutes.
 * @throws with `REQUIRE_SERVERS=1` when there is no server.
 */
export async function s3Server(): Promise<S3Place | undefined> {
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

/** Starts a server that its caller stops and starts again, on an empty folder; `undefined` where {@link s3Server} gives none. */
export async function ownS3Server(
  options: Parameters<typeof startS3Server>[0] = {},
): Promise<S3Server | undefined> {
  started ??= startOrSkip();
  return (await started) && startS3Server(options);
}

/** Returns the settings that lead to a server, without a bucket. */
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
