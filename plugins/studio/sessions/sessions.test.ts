import { expect, test } from 'bun:test';
import { StoreUnavailableError, type Collection } from '../../../src/plugin.ts';
import { Sealer } from '../../../src/sealer.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import { collections, type StoredSession, type User } from '../collections.ts';
import { createSessions, type Sessions } from './sessions.ts';

const browser = { address: '192.0.2.1', userAgent: null };
const user: User = { id: 'acct_a', role: 'owner', passwordHash: null, epoch: 1, createdAt: 0 };
const account = {
  id: 'acct_a',
  email: 'a@example.com',
  plan: 'pro',
  monthlyLimit: null,
  suspendedAt: null,
  createdAt: 0,
};

function sessionsIn(sessions: Collection<StoredSession>): Sessions {
  return createSessions({
    sessions,
    users: { get: async () => user, emailOf: async () => account.email },
    members: { roleOf: async () => 'owner' },
    accounts: { get: async () => account } as never,
    sealer: new Sealer('00'.repeat(32)),
  });
}

test('a session that cannot be extended because the database is read-only is found', async () => {
  const store = createSqliteStore({ path: ':memory:' });
  const stored = await store.collection(collections.sessions);
  const { token, session } = await sessionsIn(stored).start(user, account.id, browser);
  const lastUsedAt = Date.now() - 3_600_000;
  await stored.update({ id: session.id }, { lastUsedAt });
  const readOnly = {
    ...stored,
    update: () => Promise.reject(new StoreUnavailableError('read-only', { reason: 'read-only' })),
  };
  const found = await sessionsIn(readOnly).find(token);
  expect(found).toEqual({
    session: { ...session, lastUsedAt },
    user,
    email: account.email,
    account: account as never,
    role: 'owner',
  });

  const extended = await sessionsIn(stored).find(token);
  expect(extended?.session.lastUsedAt).toBeGreaterThan(lastUsedAt);
  await store.close();
});
