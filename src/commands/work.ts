import type { Account, Accounts } from '../accounts/accounts.ts';
import type { PlanName } from '../accounts/plans.ts';
import type { Assembly } from '../assembly.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { recordCommand, type CommandChange } from '../audit/command.ts';
import { loadConfig, type Config } from '../config.ts';
import { newId } from '../ids.ts';
import { createLog } from '../log.ts';
import { openAccounts, openAudit, openState } from '../state.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './failures.ts';

/** How many accounts the message about an unknown account names. */
const SHOWN_ACCOUNTS = 10;

/** Makes changes and records them in the audit log of the account. */
export function recorded<T>(
  audit: AuditLog,
  command: string,
  changes: readonly CommandChange[],
  make: () => Promise<T>,
  targetOf?: (result: T) => string,
): Promise<T> {
  const isRefusal = (error: unknown) => error instanceof UsageError;
  const options = { isRefusal, ...(targetOf && { targetOf }) };
  return recordCommand(audit, { command: `platen ${command}`, changes }, make, options);
}

/** Finds the account of an email address, or creates it and records that. */
export async function findOrCreateAccount(
  { accounts, audit }: { accounts: Accounts; audit: AuditLog },
  command: string,
  owner: { email: string; plan: PlanName },
): Promise<Account> {
  const known = await accounts.findByEmail(owner.email);
  if (known) return known;
  const id = newId('acct_');
  const change = { account: id, action: 'account.created', target: id } as const;
  return recorded(audit, command, [change], () => accounts.findOrCreate({ id, ...owner }));
}

/**
 * Works on the data of an account in the core and in all plugins. Built-in plugins that are off may have
 * earlier data.
 */
export async function withAccountData(
  address: string,
  work: (account: Account, assembly: Assembly) => Promise<void>,
): Promise<void> {
  const { withBuiltInPlugins } = await import('../assembly.ts');
  await withAssembly(withBuiltInPlugins(loadConfig()), async (assembly) => {
    const account = await assembly.accounts.findByEmail(address);
    if (!account) throw await unknownAccount(assembly.accounts, address);
    await work(account, assembly);
  });
}

/** Returns the account of a service that has one account, or `null`. */
export async function onlyAccount(accounts: Accounts): Promise<Account | null> {
  const [account, ...others] = await accounts.list();
  return account && others.length === 0 ? account : null;
}

/**
 * Explains which accounts exist, because the first sign-in to the studio gives the first account another
 * address.
 */
export async function unknownAccount(accounts: Accounts, address: string | undefined): Promise<UsageError> {
  const known = (await accounts.list()).map(({ email: owner }) => owner);
  const shown = known.slice(0, SHOWN_ACCOUNTS).join(', ');
  const rest = known.length > SHOWN_ACCOUNTS ? ` and ${known.length - SHOWN_ACCOUNTS} more` : '';
  const list = known.length === 0 ? 'no account exists' : `the accounts are ${shown}${rest}`;
  return new UsageError(
    address === undefined ? `--email is missing; ${list}` : `the account ${address} does not exist; ${list}`,
  );
}

/** Works with the plugins of a service, which are set up but not started. */
export async function withAssembly(
  config: Config,
  work: (assembly: Assembly, config: Config) => Promise<void>,
): Promise<void> {
  const { assemble } = await import('../assembly.ts');
  await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
  await work(assembly, config);
}

export async function withAccounts(
  work: (parts: { accounts: Accounts; audit: AuditLog; config: Config; store: Store }) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const { store } = await openState(config);
  try {
    const accounts = await openAccounts(config, store);
    // Commands print what their user must know.
    const audit = await openAudit(config, store, { log: createLog({ level: 'silent' }) });
    await work({ accounts, audit, config, store });
  } finally {
    await store.close();
  }
}
