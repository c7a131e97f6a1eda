import { join } from 'node:path';
import { Accounts } from './accounts/accounts.ts';
import { ConfigError, type Config } from './config.ts';
import { createDiskFiles } from './files/disk.ts';
import { messageOf } from './errors.ts';
import type { FileStore } from './files/files.ts';
import type { FileLinks } from './http/files.ts';
import { createSqliteStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

/**
 * Opens the database that the configuration names: MongoDB, or the embedded one. The CLI opens the same one beside a running service.
 * @throws {ConfigError} when MongoDB cannot be used.
 */
export async function openStore(config: Config): Promise<Store> {
  if (config.mongodbUrl === undefined)
    return createSqliteStore({ path: join(config.dataDir, 'platen.sqlite') });
  const { createMongoStore } = await import('./store/mongo.ts');
  try {
    return await createMongoStore({ url: config.mongodbUrl });
  } catch (error) {
    throw new ConfigError(`MONGODB_URL: ${messageOf(error)}`, { cause: error });
  }
}

/** Opens the file store that the configuration names. */
export function openFiles(config: Config, links: FileLinks): FileStore {
  return createDiskFiles({
    directory: join(config.dataDir, 'files'),
    sign: (id, options) => links.sign(id, options),
  });
}

/** Opens the accounts of a store; keys are hashed under the deployment's pepper. */
export function openAccounts(config: Config, store: Store): Promise<Accounts> {
  return Accounts.open(store, config.deriveKey('api-keys'));
}
