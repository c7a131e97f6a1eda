import { ownedRecords, type AccountData, type Collection } from '../../src/plugin.ts';
import type { Link, Passkey, StoredSession, StoredUser } from './collections.ts';
import { toIso } from './present.ts';

/**
 * Describes the data that the studio stores for accounts. Exports contain no hashes of passwords, sessions or
 * links.
 */
export function studioData({
  users,
  sessions,
  links,
  passkeys,
}: {
  users: Collection<StoredUser>;
  sessions: Collection<StoredSession>;
  links: Collection<Link>;
  passkeys: Collection<Passkey>;
}): AccountData[] {
  return [
    {
      name: 'studio-users',
      count: (accountId) => users.count({ id: accountId }),
      async *read(accountId) {
        const user = await users.get(accountId);
        if (!user) return;
        const { role, passwordHash, createdAt } = user;
        yield [{ record: { role, has_password: passwordHash !== null, created_at: toIso(createdAt) } }];
      },
      async delete(accountId) {
        await users.delete({ id: accountId });
      },
    },
    ownedRecords({
      name: 'studio-sessions',
      collection: sessions,
      present: ({ id, address, userAgent, createdAt, lastUsedAt }) => ({
        record: {
          id,
          address,
          user_agent: userAgent,
          created_at: toIso(createdAt),
          last_used_at: toIso(lastUsedAt),
        },
      }),
    }),
    {
      name: 'studio-links',
      count: (accountId) => links.count({ accountId }),
      async *read(accountId) {
        const found = await links.find({ where: { accountId } });
        yield found.map(({ id, role, createdAt, usedAt }) => ({
          record: { id, role, created_at: toIso(createdAt), used_at: toIso(usedAt) },
        }));
      },
      async delete(accountId) {
        await links.delete({ accountId });
      },
    },
    ownedRecords({
      name: 'studio-passkeys',
      collection: passkeys,
      present: ({ id, name, createdAt, lastUsedAt }) => ({
        record: { id, name, created_at: toIso(createdAt), last_used_at: toIso(lastUsedAt) },
      }),
    }),
  ];
}
