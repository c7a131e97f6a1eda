import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { PlanName } from '../accounts/plans.ts';
import { Quota } from '../accounts/quota.ts';
import { messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import { DuplicateKeyError } from '../store/store.ts';
import { UsageError } from './failures.ts';
import { emailOption, planOption } from './options.ts';
import { printTable } from './print-table.ts';
import { recorded, unknownAccount, withAccountData, withAccounts } from './work.ts';

/** Adds `platen accounts`. */
export function addAccountCommands(program: Command): void {
  const accountsCommand = program.command('accounts').description('create, change and list accounts');

  accountsCommand
    .command('create')
    .description('create an account')
    .addOption(emailOption())
    .addOption(planOption('the plan of the account').default('free'))
    .action(({ email: address, plan: name }: { email: string; plan: PlanName }) =>
      withAccounts(async ({ accounts, audit }) => {
        const id = newId('acct_');
        const change = { account: id, action: 'account.created', target: id } as const;
        const create = () =>
          accounts.create({ id, email: address, plan: name }).catch((error: unknown) => {
            throw error instanceof DuplicateKeyError
              ? new UsageError(`the account ${address} already exists`)
              : error;
          });
        console.log((await recorded(audit, 'accounts create', [change], create)).id);
      }),
    );

  accountsCommand
    .command('set')
    .description('change the plan or the monthly limit of an account')
    .addOption(emailOption())
    .addOption(planOption('the new plan'))
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
        withAccounts(async ({ accounts, audit }) => {
          if (name === undefined && monthlyLimit === undefined)
            throw new UsageError('nothing to change: use --plan or --monthly-limit');
          const change = {
            ...(name && { plan: name }),
            ...(monthlyLimit !== undefined && {
              monthlyLimit: monthlyLimit === 'plan' ? null : monthlyLimit,
            }),
          };
          const account = await accounts.findByEmail(address);
          if (!account) throw await unknownAccount(accounts, address);
          const changes = [
            ...(name === undefined ? [] : ['account.plan_changed' as const]),
            ...(monthlyLimit === undefined ? [] : ['account.limit_changed' as const]),
          ].map((action) => ({ account: account.id, action, target: account.id }));
          const changed = await recorded(audit, 'accounts set', changes, () => accounts.set(address, change));
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
      withAccounts(async ({ accounts, config: { plans }, store }) => {
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
    .addOption(emailOption())
    .requiredOption('--out <path>', 'the path of the archive')
    .action(({ email: address, out }: { email: string; out: string }) =>
      withAccountData(address, async (account, { accountData, audit, files }) => {
        const { exportAccount } = await import('../accounts/export.ts');
        const change = { account: account.id, action: 'account.exported', target: account.id } as const;
        await recorded(audit, 'accounts export', [change], () =>
          exportAccount({ account, data: accountData, files }, out).catch((error: unknown) => {
            throw isFileError(error)
              ? new UsageError(`${out} cannot be written (${messageOf(error)})`)
              : error;
          }),
        );
      }),
    );

  accountsCommand
    .command('delete')
    .description('delete an account and all its data')
    .addOption(emailOption())
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
}

/** Tells whether an error comes from the file system. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function readMonthlyLimit(text: string): number | 'plan' {
  if (text === 'plan') return text;
  if (!/^\d{1,12}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number of at least 0, or 'plan'.");
  return Number(text);
}
