import { join } from 'node:path';
import { Accounts } from './accounts/accounts.ts';
import { ConfigError, type Config } from './config.ts';
import { createDiskFiles } from './files/disk.ts';
import { messageOf } from './errors.ts';
import { FilesUnavailableError, type FilesUnavailableReason, type FileStore } from './files/files.ts';
import { createS3Files } from './files/s3.ts';
import type { FileLinks } from './http/files.ts';
import { makeMemoryLimiter, type MakeLimiter } from './http/rate-limit.ts';
import { createSqliteStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';
import { WebhookSecrets } from './webhooks/secrets.ts';

/** A database, and the limiters that count for all who use it. */
export interface State {
  store: Store;
  makeLimiter: MakeLimiter;
}

/**
 * Opens the database that the configuration names: MongoDB, or the embedded one. The CLI opens the same one beside a running service.
 * @throws {ConfigError} when MongoDB cannot be used.
 */
export async function openState(config: Config): Promise<State> {
  if (config.mongodbUrl === undefined) {
    const store = createSqliteStore({ path: join(config.dataDir, 'platen.sqlite') });
    return { store, makeLimiter: makeMemoryLimiter };
  }
  const { createMongoStore } = await import('./store/mongo.ts');
  const { createMongoLimiters } = await import('./http/mongo-limiter.ts');
  try {
    const store = await createMongoStore({ url: config.mongodbUrl });
    return { store, makeLimiter: await createMongoLimiters(store.connection) };
  } catch (error) {
    throw new ConfigError(`MONGODB_URL: ${messageOf(error)}`, { cause: error });
  }
}

const settingsAtFault: Readonly<Record<FilesUnavailableReason, string>> = {
  unreachable: 'S3_ENDPOINT',
  bucket: 'S3_BUCKET',
  credentials: 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  permission: 'S3_BUCKET',
  region: 'S3_REGION',
};

/**
 * Opens the file store that the configuration names; one in S3 is tried before anything relies on it.
 * @throws {ConfigError} within 5 s when the bucket cannot be reached, does not exist or may not be written.
 */
export async function openFiles(config: Config, links: FileLinks): Promise<FileStore> {
  if (!config.s3) {
    return createDiskFiles({
      directory: join(config.dataDir, 'files'),
      sign: (id, options) => links.sign(id, options),
    });
  }
  const files = createS3Files(config.s3);
  await files.ping().catch((error: unknown) => {
    throw error instanceof FilesUnavailableError
      ? new ConfigError(`${settingsAtFault[error.reason]}: ${error.message}`)
      : error;
  });
  return files;
}

/** Opens the accounts of a store; keys are hashed under the deployment's pepper. */
export function openAccounts(config: Config, store: Store): Promise<Accounts> {
  return Accounts.open(store, config.deriveKey('api-keys'));
}

/** Opens the secrets with which webhooks are signed; they are encrypted under a key of the deployment. */
export function openWebhookSecrets(config: Config, store: Store): Promise<WebhookSecrets> {
  return WebhookSecrets.open(store, config.deriveKey('webhook-secrets'));
}
