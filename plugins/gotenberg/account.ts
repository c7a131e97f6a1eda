import { newId, type PluginContext } from '../../src/plugin.ts';

/** Creates the account of requests without credentials, if it is configured and missing. */
export async function createAccount(
  email: string | undefined,
  {
    administration,
    auditLog,
  }: Pick<PluginContext<unknown, object, never, never>, 'administration' | 'auditLog'>,
): Promise<void> {
  if (email === undefined || (await administration.accounts.findByEmail(email))) return;
  const id = newId('acct_');
  const actor = { type: 'command', id: null, name: 'plugins.gotenberg.account' } as const;
  const creation = { account: id, actor, action: 'account.created', target: id, usesReserve: true } as const;
  await auditLog.during(creation, () =>
    administration.accounts.findOrCreate({ id, email, plan: 'enterprise' }),
  );
}
