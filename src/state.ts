import { join } from 'node:path';
import { Accounts } from './accounts/accounts.ts';
import { StoredAuditLog } from './audit/audit-log.ts';
import { ConfigError, type Config } from './config.ts';
import type { IntakeGuard } from './disk-reserve.ts';
import { createDiskFiles } from './files/disk.ts';
import { messageOf } from './errors.ts';
import { FilesUnavailableError, type FileStore } from './files/files.ts';
import { createS3Files, settingsAtFault } from './files/s3.ts';
import type { FileLinks } from './http/file-links.ts';
import { makeMemoryLimiter, type MakeLimiter } from './http/rate-limit.ts';
import type { Log } from './log.ts';
import { createSqliteStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';
import { WebhookSecrets } from './webhooks/secrets.ts';

/**
 * A database, and a factory for rate limiters. On MongoDB, the limiters count the requests to all replicas.
 */
export interface State {
  store: Store;
  makeLimiter: MakeLimiter;
}

/**
 * Opens the configured database: MongoDB or the embedded database. The CLI may open it while the service is
 * running.
 * @throws {ConfigError} when MongoDB is unavailable
 * @throws {StoreUnavailableError} when the embedded database cannot be opened
 */
export async function openState({ database, isShortLived }: Config, guard?: IntakeGuard): Promise<State> {
  if (database.kind === 'sqlite') {
    const store = createSqliteStore({ path: database.path, guard, isDurable: !isShortLived });
    return { store, makeLimiter: makeMemoryLimiter };
  }
  const { createMongoStore } = await import('./store/mongo.ts');
  const { createMongoLimiters } = await import('./http/mongo-limiter.ts');
  try {
    const store = await createMongoStore({ url: database.url });
    return { store, makeLimiter: await createMongoLimiters(store.connection) };
  } catch (error) {
    throw new ConfigError(`MONGODB_URL: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Opens the configured file store. Checks first that a bucket can be read and written.
 * @throws {ConfigError} within 5 s when a setting of the bucket is wrong or the bucket is unreachable
 */
export async function openFiles(config: Config, links: FileLinks, guard?: IntakeGuard): Promise<FileStore> {
  if (!config.s3) {
    return createDiskFiles({
      directory: join(config.dataDir, 'files'),
      sign: (id, options) => links.sign(id, options),
      guard,
    });
  }
  const files = createS3Files(config.s3);
  await files.ping().catch((error: unknown) => {
    // A full bucket can be read, and its files can be deleted.
    if (error instanceof FilesUnavailableError && error.reason === 'full') return;
    throw error instanceof FilesUnavailableError
      ? new ConfigError(`${settingsAtFault(error.reason)}: ${error.message}`)
      : error;
  });
  return files;
}

/** Opens the accounts in a store. API keys are hashed with the deployment's pepper. */
export function openAccounts(config: Config, store: Store): Promise<Accounts> {
  return Accounts.open(store, config.deriveKey('api-keys'));
}

/** Opens the audit log in a store. See {@link StoredAuditLog.open}. */
export function openAudit(
  { auditDays }: Config,
  store: Store,
  options: { unguarded?: Store; log: Log },
): Promise<StoredAuditLog> {
  return StoredAuditLog.open(store, { ...options, days: auditDays });
}

/** Opens the secrets that sign webhooks. They are encrypted with a key of the deployment. */
export function openWebhookSecrets(config: Config, store: Store): Promise<WebhookSecrets> {
  return WebhookSecrets.open(store, config.deriveKey('webhook-secrets'));
}
