import { InvalidArgumentError, Option, type Command } from 'commander';
import { presentKeyLimits, readKeyLimits, type KeyLimits } from '../accounts/key-limits.ts';
import type { PlanName } from '../accounts/plans.ts';
import { SCOPES, type Scope } from '../accounts/scopes.ts';
import { messageOf } from '../errors.ts';
import { UsageError } from './failures.ts';
import { emailOption, planOption, readEmail, readList } from './options.ts';
import { printTable } from './print-table.ts';
import { findOrCreateAccount, recorded, unknownAccount, withAccounts } from './work.ts';

/** The options of `keys create` that limit the key. */
interface KeyLimitOptions {
  test?: true;
  scopes?: Scope[];
  expiresAt?: string;
  allowedIps?: string[];
}

interface NewKeyOptions extends KeyLimitOptions {
  email: string;
  plan: PlanName;
  name: string;
}

/** Adds `platen keys`. */
export function addKeyCommands(program: Command): void {
  const keysCommand = program.command('keys').description('create, list and revoke API keys');

  keysCommand
    .command('create')
    .description('create an API key and print it once; creates the account if it does not exist')
    .addOption(emailOption())
    .addOption(planOption('the plan of a new account').default('free'))
    .option('--name <text>', 'the name of the key', 'default')
    .option('--scopes <list>', `what the key may do, such as generate,pdf (${SCOPES.join(', ')})`, readScopes)
    .option('--expires-at <time>', 'when the key stops working, such as 2027-01-31T00:00:00Z')
    .option(
      '--allowed-ips <list>',
      'the addresses that may use the key, such as 10.0.0.0/8,2001:db8::1',
      readList,
    )
    .option('--test', 'create a test key, whose documents are marked and cost no quota')
    .action(({ email: address, plan: name, name: keyName, ...options }: NewKeyOptions) =>
      withAccounts(async ({ accounts, audit }) => {
        const limits = readLimits(options);
        const owner = { email: address, plan: name };
        const account = await findOrCreateAccount({ accounts, audit }, 'keys create', owner);
        if (account.plan !== name && keysCommand.commands[0]?.getOptionValueSource('plan') === 'cli') {
          console.error(
            `platen: ${address} already has the plan ${account.plan}; use "accounts set" to change it`,
          );
        }
        const change = { account: account.id, action: 'key.created' } as const;
        const create = () => accounts.createKey(account, keyName, { limits });
        const { key } = await recorded(audit, 'keys create', [change], create, ({ record }) => record.id);
        console.log(key);
      }),
    );

  keysCommand
    .command('list')
    .description('list API keys, including revoked keys, oldest first')
    .addOption(new Option('--email <address>', 'only the keys of this account').argParser(readEmail))
    .action(({ email: address }: { email?: string }) =>
      withAccounts(async ({ accounts }) => {
        const account = address === undefined ? undefined : await accounts.findByEmail(address);
        if (account === null && address !== undefined) throw await unknownAccount(accounts, address);
        const emails = new Map((await accounts.list()).map(({ id, email: owner }) => [id, owner]));
        printTable(
          ['ID', 'ACCOUNT', 'NAME', 'KEY', 'CREATED', 'REVOKED', 'EXPIRES', 'ALLOWED IPS', 'SCOPES', 'MODE'],
          (await accounts.listKeys(account?.id)).map((key) => {
            const { expires_at, allowed_ips, test } = presentKeyLimits(key);
            return [
              key.id,
              emails.get(key.accountId) ?? key.accountId,
              key.name,
              `…${key.hint}`,
              new Date(key.createdAt).toISOString(),
              key.revokedAt === null ? '' : new Date(key.revokedAt).toISOString(),
              expires_at ?? '',
              allowed_ips?.join(',') ?? '',
              key.scopes?.join(',') ?? 'default',
              test ? 'test' : 'live',
            ];
          }),
        );
      }),
    );

  keysCommand
    .command('revoke')
    .description('revoke an API key; it is rejected from the next request on')
    .argument('<id>', 'the id of the key, as shown by `keys list`')
    .action((id: string) =>
      withAccounts(async ({ accounts, audit }) => {
        const key = (await accounts.listKeys()).find((each) => each.id === id);
        if (!key) throw new UsageError(`the key ${id} does not exist`);
        const change = { account: key.accountId, action: 'key.revoked', target: id } as const;
        await recorded(audit, 'keys revoke', [change], () => accounts.revokeKey(id));
      }),
    );
}

function readScopes(text: string): Scope[] {
  const names = readList(text);
  const known: readonly string[] = SCOPES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is not a scope; the scopes are ${SCOPES.join(', ')}.`);
  return SCOPES.filter((scope) => names.includes(scope));
}

/** Reads the limits of a new key. @throws {UsageError} that names the option */
function readLimits({ scopes, expiresAt, allowedIps, test }: KeyLimitOptions): Partial<KeyLimits> {
  try {
    return readKeyLimits({
      ...(scopes && { scopes }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(allowedIps && { allowed_ips: allowedIps }),
      ...(test && { test }),
    });
  } catch (error) {
    // The message begins with the field, such as `allowed_ips[1]`.
    const [path = '', ...message] = messageOf(error).split(': ');
    const [field = ''] = path.split('[');
    throw new UsageError(`--${field.replaceAll('_', '-')}: ${message.join(': ')}`);
  }
}
