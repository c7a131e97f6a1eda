import { ownedRecords, type AccountData, type Administration, type Collection } from '../../src/plugin.ts';

type OwnedRecords<Entry extends OwnedDocument> = Parameters<typeof ownedRecords<Entry>>[0];
type OwnedDocument = Parameters<Parameters<typeof ownedRecords>[0]['present']>[0];
import type { Identity, Link, Passkey, StoredSession, Team } from './collections.ts';
import type { Members } from './members/members.ts';
import { toIso } from './present.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { Users } from './sign-in/users.ts';

/** The parts of the studio that store data of accounts. */
interface StudioDataParts {
  accounts: Pick<Administration['accounts'], 'get'>;
  users: Users;
  members: Members;
  teams: Collection<Team>;
  sessionRecords: Collection<StoredSession>;
  links: Collection<Link>;
  passkeys: Collection<Passkey>;
  identities: Collection<Identity>;
  removePerson: (userId: string) => Promise<void>;
  sessions: Pick<Sessions, 'endAll'>;
}

/**
 * Deletes a person with their passkeys and sessions. The sign-in is deleted last, so that a repetition finds
 * it.
 */
export function createPersonRemoval({
  users,
  sessions,
  passkeys,
  identities,
}: Pick<StudioDataParts, 'users' | 'sessions' | 'passkeys' | 'identities'>): (
  userId: string,
) => Promise<void> {
  return async (userId) => {
    await passkeys.delete({ accountId: userId });
    await identities.delete({ accountId: userId });
    await sessions.endAll(userId);
    await users.remove(userId);
  };
}

/**
 * Describes the data that the studio stores for accounts. Exports contain no hashes of passwords, sessions or
 * links. Of the other members, they contain only email addresses and roles.
 */
export function studioData({
  accounts,
  users,
  members,
  teams,
  sessionRecords,
  links,
  passkeys,
  removePerson,
  sessions,
}: Omit<StudioDataParts, 'identities'>): AccountData[] {
  /**
   * Describes records of the person who started an account, while they work in no other account: what they do
   * there does not concern this one. The records end with the person.
   */
  function ofFirstPerson<Entry extends OwnedDocument>(records: OwnedRecords<Entry>): AccountData {
    const owned = ownedRecords(records);
    const isOnlyHere = async (accountId: string) => {
      const own = await members.accountsOf(accountId);
      return own.length === 1 && own[0]?.accountId === accountId;
    };
    return {
      name: records.name,
      count: async (accountId) => ((await isOnlyHere(accountId)) ? owned.count(accountId) : 0),
      async *read(accountId) {
        if (await isOnlyHere(accountId)) yield* owned.read(accountId);
      },
      delete: async () => {},
    };
  }

  return [
    {
      name: 'studio-users',
      count: async (accountId) => (await members.list(accountId)).length,
      async *read(accountId) {
        for (const { userId, role: memberRole, joinedAt } of await members.list(accountId)) {
          const user = await users.get(userId);
          if (!user) continue;
          const { role, passwordHash, createdAt } = user;
          const record = {
            id: userId,
            email: await users.emailOf(user),
            member_role: memberRole,
            joined_at: toIso(joinedAt),
            role,
            has_password: passwordHash !== null,
            created_at: toIso(createdAt),
          };
          yield [{ record }];
        }
      },
      async delete(accountId) {
        // The person with whom the account began may have left it.
        for (const userId of new Set([...(await members.disband(accountId)), accountId])) {
          const user = await users.get(userId);
          if (!user) continue;
          const others = (await members.accountsOf(userId)).filter((other) => other.accountId !== accountId);
          const isOnlyHere = others.length === 0;
          if (isOnlyHere) await removePerson(userId);
          else await sessions.endAll(userId, accountId);
          if (!isOnlyHere && userId === accountId && user.email === undefined) {
            const account = await accounts.get(accountId);
            if (account) await users.detach(user, account.email);
          }
        }
        await sessionRecords.delete({ memberOf: accountId });
        await teams.delete({ id: accountId });
      },
    },
    ofFirstPerson({
      name: 'studio-sessions',
      collection: sessionRecords,
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
        yield found.map(({ id, role, invited = null, createdAt, usedAt }) => ({
          record: { id, role, invited, created_at: toIso(createdAt), used_at: toIso(usedAt) },
        }));
      },
      async delete(accountId) {
        await links.delete({ accountId });
      },
    },
    ofFirstPerson({
      name: 'studio-passkeys',
      collection: passkeys,
      present: ({ id, name, createdAt, lastUsedAt }) => ({
        record: { id, name, created_at: toIso(createdAt), last_used_at: toIso(lastUsedAt) },
      }),
    }),
  ];
}
