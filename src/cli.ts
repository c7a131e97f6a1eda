#!/usr/bin/env -S bun --no-install --no-env-file
import { Command, InvalidArgumentError, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Account, Accounts } from './accounts/accounts.ts';
import { PLAN_NAMES, type PlanName } from './accounts/plans.ts';
import { Quota } from './accounts/quota.ts';
import { ConfigError, loadConfig, type Config } from './config.ts';
import type { Assembly } from './assembly.ts';
import { messageOf } from './errors.ts';
import { createLog } from './log.ts';
import { DuplicateKeyError, StoreUnavailableError, type Store } from './store/store.ts';
import type { Services } from './plugin.ts';
import { openAccounts, openState, openWebhookSecrets } from './state.ts';
import { WebhookSecretError } from './webhooks/secrets.ts';

/** How many accounts the message about an unknown account names. */
const SHOWN_ACCOUNTS = 10;

/** An error in how the command was used. Only its message is printed. */
class UsageError extends Error {}

const program = new Command('platen')
  .description('Self-hosted PDF service.')
  .version(packageJson.version)
  .showHelpAfterError('(add --help for usage)');

program
  .command('serve')
  .description('run the service until SIGTERM or SIGINT')
  .action(async () => {
    const { serve } = await import('./main.ts');
    await serve();
  });

program
  .command('doctor')
  .description('check Chromium, fonts, the store, the file store, the sandbox and the egress guard')
  .action(async () => {
    const { examine } = await import('./doctor.ts');
    const { report, healthy } = await examine(loadConfig());
    console.log(report);
    if (!healthy) process.exitCode = 1;
  });

const email = () =>
  new Option('--email <address>', 'the email address of the account')
    .argParser(readEmail)
    .makeOptionMandatory();
const plan = (text: string) => new Option('--plan <name>', text).choices(PLAN_NAMES);

const accountsCommand = program.command('accounts').description('create, change and list accounts');

accountsCommand
  .command('create')
  .description('create an account')
  .addOption(email())
  .addOption(plan('the plan of the account').default('free'))
  .action(({ email: address, plan: name }: { email: string; plan: PlanName }) =>
    withAccounts(async (accounts) => {
      const account = await accounts.create({ email: address, plan: name }).catch((error: unknown) => {
        throw error instanceof DuplicateKeyError
          ? new UsageError(`the account ${address} already exists`)
          : error;
      });
      console.log(account.id);
    }),
  );

accountsCommand
  .command('set')
  .description('change the plan or the monthly limit of an account')
  .addOption(email())
  .addOption(plan('the new plan'))
  .option('--monthly-limit <n>', "PDFs per month, or 'plan' for the plan's limit", readMonthlyLimit)
  .action(
    ({
      email: address,
      plan: name,
      monthlyLimit,
    }: {
      email: string;
      plan?: PlanName;
      monthlyLimit?: number | 'plan';
    }) =>
      withAccounts(async (accounts) => {
        if (name === undefined && monthlyLimit === undefined)
          throw new UsageError('nothing to change: use --plan or --monthly-limit');
        const change = {
          ...(name && { plan: name }),
          ...(monthlyLimit !== undefined && { monthlyLimit: monthlyLimit === 'plan' ? null : monthlyLimit }),
        };
        const changed = await accounts.set(address, change);
        if (!changed) throw await unknownAccount(accounts, address);
        console.log(
          `${address}: plan ${changed.plan}, monthly limit ${changed.monthlyLimit ?? "the plan's"}`,
        );
      }),
  );

accountsCommand
  .command('list')
  .description('list accounts and their usage this month, oldest first')
  .action(() =>
    withAccounts(async (accounts, { plans }, store) => {
      const quota = await Quota.open(store, plans);
      const rows = (await accounts.list()).map(async (account) => [
        account.id,
        account.email,
        account.plan,
        String(await quota.usedBy(account)),
        account.monthlyLimit === null ? 'plan' : String(account.monthlyLimit),
        new Date(account.createdAt).toISOString(),
      ]);
      printTable(['ID', 'EMAIL', 'PLAN', 'USED', 'MONTHLY LIMIT', 'CREATED'], await Promise.all(rows));
    }),
  );

accountsCommand
  .command('export')
  .description('write all data of an account to a zip archive: JSON files and PDFs')
  .addOption(email())
  .requiredOption('--out <path>', 'the path of the archive')
  .action(({ email: address, out }: { email: string; out: string }) =>
    withAccountData(address, async (account, { accountData, files }) => {
      const { exportAccount } = await import('./accounts/export.ts');
      await exportAccount({ account, data: accountData, files }, out).catch((error: unknown) => {
        throw isFileError(error) ? new UsageError(`${out} cannot be written (${messageOf(error)})`) : error;
      });
    }),
  );

accountsCommand
  .command('delete')
  .description('delete an account and all its data')
  .addOption(email())
  .option('--yes', 'delete; without this option, the command shows what it would delete')
  .action(({ email: address, yes }: { email: string; yes?: boolean }) =>
    withAccountData(address, async (account, { accountData, erasure }) => {
      if (yes) return erasure.erase(account.id);
      const counts = await Promise.all(
        accountData.map(async (data) => [data.name, String(await data.count(account.id))]),
      );
      printTable(['DATA', 'RECORDS'], counts);
      throw new UsageError(`nothing is deleted; add --yes to delete ${address} and these records`);
    }),
  );

const keysCommand = program.command('keys').description('create, list and revoke API keys');

keysCommand
  .command('create')
  .description('create an API key and print it once; creates the account if it does not exist')
  .addOption(email())
  .addOption(plan('the plan of a new account').default('free'))
  .option('--name <text>', 'the name of the key', 'default')
  .action(({ email: address, plan: name, name: keyName }: { email: string; plan: PlanName; name: string }) =>
    withAccounts(async (accounts) => {
      const account = await accounts.findOrCreate({ email: address, plan: name });
      if (account.plan !== name && keysCommand.commands[0]?.getOptionValueSource('plan') === 'cli') {
        console.error(
          `platen: ${address} already has the plan ${account.plan}; use "accounts set" to change it`,
        );
      }
      console.log((await accounts.createKey(account, keyName)).key);
    }),
  );

keysCommand
  .command('list')
  .description('list API keys, including revoked keys, oldest first')
  .addOption(new Option('--email <address>', 'only the keys of this account').argParser(readEmail))
  .action(({ email: address }: { email?: string }) =>
    withAccounts(async (accounts) => {
      const account = address === undefined ? undefined : await accounts.findByEmail(address);
      if (account === null && address !== undefined) throw await unknownAccount(accounts, address);
      const emails = new Map((await accounts.list()).map(({ id, email: owner }) => [id, owner]));
      printTable(
        ['ID', 'ACCOUNT', 'NAME', 'KEY', 'CREATED', 'REVOKED'],
        (await accounts.listKeys(account?.id)).map((key) => [
          key.id,
          emails.get(key.accountId) ?? key.accountId,
          key.name,
          `…${key.hint}`,
          new Date(key.createdAt).toISOString(),
          key.revokedAt === null ? '' : new Date(key.revokedAt).toISOString(),
        ]),
      );
    }),
  );

keysCommand
  .command('revoke')
  .description('revoke an API key; it is rejected from the next request on')
  .argument('<id>', 'the id of the key, as shown by `keys list`')
  .action((id: string) =>
    withAccounts(async (accounts) => {
      if (!(await accounts.revokeKey(id))) throw new UsageError(`the key ${id} does not exist`);
    }),
  );

const webhooksCommand = program.command('webhooks').description('manage the secrets that sign webhooks');

webhooksCommand
  .command('secret')
  .description("print the secret that signs an account's webhooks")
  .addOption(email().makeOptionMandatory(false))
  .option('--rotate', 'create a new secret; for 24 hours, both secrets sign')
  .action(({ email: address, rotate }: { email?: string; rotate?: boolean }) =>
    withAccounts(async (accounts, config, store) => {
      const account = await (address === undefined ? onlyAccount(accounts) : accounts.findByEmail(address));
      if (!account) throw await unknownAccount(accounts, address);
      const secrets = await openWebhookSecrets(config, store);
      console.log(rotate ? await secrets.rotate(account.id) : (await secrets.read(account.id))[0]);
    }),
  );

const studioCommand = program.command('studio').description('manage sign-ins to the web application');

studioCommand
  .command('link')
  .description(
    'print a link that signs an account in once within 24 hours; creates the account if it does not exist',
  )
  .addOption(email())
  .addOption(plan('the plan of a new account').default('free'))
  .option('--operator', 'also allow the account to manage all accounts')
  .action(({ email: address, plan: name, operator }: { email: string; plan: PlanName; operator?: true }) =>
    withAssembly(loadConfig(), async ({ accounts, registry }, { publicUrl, port }) => {
      const studio = registry.services['studio'] as Services['studio'] | undefined;
      if (!studio) throw new UsageError('the studio plugin is off');
      const account = await accounts.findOrCreate({ email: address, plan: name });
      const { url } = await studio.createLink(account.id, {
        role: operator && 'operator',
        baseUrl: publicUrl ?? `http://localhost:${port}`,
      });
      console.log(url);
    }),
  );

/** Works on the data of an account in the core and in all plugins. Built-in plugins that are off may have earlier data. */
async function withAccountData(
  address: string,
  work: (account: Account, assembly: Assembly) => Promise<void>,
): Promise<void> {
  const { withBuiltInPlugins } = await import('./assembly.ts');
  await withAssembly(withBuiltInPlugins(loadConfig()), async (assembly) => {
    const account = await assembly.accounts.findByEmail(address);
    if (!account) throw await unknownAccount(assembly.accounts, address);
    await work(account, assembly);
  });
}

/** Returns the account of a service that has one account, or `null`. */
async function onlyAccount(accounts: Accounts): Promise<Account | null> {
  const [account, ...others] = await accounts.list();
  return account && others.length === 0 ? account : null;
}

/** Explains which accounts exist, because the first sign-in to the studio gives the first account another address. */
async function unknownAccount(accounts: Accounts, address: string | undefined): Promise<UsageError> {
  const known = (await accounts.list()).map(({ email: owner }) => owner);
  const shown = known.slice(0, SHOWN_ACCOUNTS).join(', ');
  const rest = known.length > SHOWN_ACCOUNTS ? ` and ${known.length - SHOWN_ACCOUNTS} more` : '';
  const list = known.length === 0 ? 'no account exists' : `the accounts are ${shown}${rest}`;
  return new UsageError(
    address === undefined ? `--email is missing; ${list}` : `the account ${address} does not exist; ${list}`,
  );
}

/** Works with the plugins of a service, which are set up but not started. */
async function withAssembly(
  config: Config,
  work: (assembly: Assembly, config: Config) => Promise<void>,
): Promise<void> {
  const { assemble } = await import('./assembly.ts');
  await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
  await work(assembly, config);
}

/** Tells whether an error comes from the file system. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function withAccounts(
  work: (accounts: Accounts, config: Config, store: Store) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const { store } = await openState(config);
  try {
    await work(await openAccounts(config, store), config, store);
  } finally {
    await store.close();
  }
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError('It must be an email address.');
  return text;
}

function readMonthlyLimit(text: string): number | 'plan' {
  if (text === 'plan') return text;
  if (!/^\d{1,12}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number of at least 0, or 'plan'.");
  return Number(text);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [head, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

try {
  await program.parseAsync();
  // An open handle must not keep a finished command or a drained service running.
  process.exit();
} catch (error) {
  const expected =
    error instanceof ConfigError ||
    error instanceof UsageError ||
    error instanceof StoreUnavailableError ||
    error instanceof WebhookSecretError;
  console.error(expected ? `platen: ${error.message}` : error);
  process.exit(1);
}
