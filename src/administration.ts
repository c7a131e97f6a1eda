import type { AccountData } from './account-data.ts';
import { streamAccount } from './accounts/export.ts';
import type { Account, Accounts } from './accounts/accounts.ts';
import type { Erasure } from './accounts/erasure.ts';
import type { Plan, PlanName } from './accounts/plans.ts';
import type { FileStore } from './files/files.ts';
import { requireActive } from './http/authenticate.ts';
import { checkHealth, type HealthCheck, type PartState } from './http/operations.ts';
import type { WebhookSecrets } from './webhooks/secrets.ts';

/**
 * Provides plugins with the functions of the command line: accounts, keys, exports and health. It does not
 * check permissions: the plugin must check them first.
 */
export interface Administration {
  readonly version: string;
  /** See `Config.publicUrl`. */
  readonly publicUrl: string | undefined;
  /** The names of the plugins that are on. */
  readonly plugins: readonly string[];
  readonly plans: Readonly<Record<PlanName, Plan>>;
  /** Whether the database is the embedded one. */
  readonly isEmbedded: boolean;
  readonly accounts: Accounts;
  readonly webhookSecrets: Pick<WebhookSecrets, 'read' | 'rotate' | 'previousUntil'>;
  /** @throws {AppError} FORBIDDEN for a suspended account */
  requireActive(account: Account): void;
  /** Runs the checks of `/readyz`. */
  checkHealth(): Promise<Readonly<Record<string, PartState>>>;
  /** Counts the records of an account for each kind of data. */
  countData(accountId: string): Promise<readonly { name: string; count: number }[]>;
  /** Returns a zip archive of all data of an account. */
  exportData(account: Account): ReadableStream<Uint8Array>;
  /** Deletes an account with all its data. See {@link Erasure}. */
  erase(accountId: string): Promise<void>;
}

/**
 * The parts of a service that {@link createAdministration} uses. The functions are called after the service
 * is assembled.
 */
export interface AdministrationParts extends Pick<
  Administration,
  'version' | 'publicUrl' | 'plugins' | 'plans' | 'isEmbedded' | 'accounts' | 'webhookSecrets'
> {
  files: Pick<FileStore, 'get'>;
  data: () => readonly AccountData[];
  health: () => Readonly<Record<string, HealthCheck>>;
  erasure: () => Erasure;
}

/** Creates the administration of a service that is being assembled. */
export function createAdministration({
  files,
  data,
  health,
  erasure,
  ...others
}: AdministrationParts): Administration {
  return {
    ...others,
    requireActive,
    checkHealth: () => checkHealth(health()),
    countData: (accountId) =>
      Promise.all(data().map(async (kind) => ({ name: kind.name, count: await kind.count(accountId) }))),
    exportData: (account) => streamAccount({ account, data: data(), files }),
    erase: (accountId) => erasure().erase(accountId),
  };
}
