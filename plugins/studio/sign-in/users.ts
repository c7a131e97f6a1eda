import { DuplicateKeyError, type Collection } from '../../../src/plugin.ts';
import type { Role, User } from '../collections.ts';

/** Stores the sign-ins of accounts. */
export interface Users {
  get(accountId: string): Promise<User | null>;
  /** Tells whether no account has a sign-in yet, which is the case on the first start. */
  isEmpty(): Promise<boolean>;
  countOperators(): Promise<number>;
  /** Stores a role and, unless it is `undefined`, a new password. All sessions of the account end. */
  enrol(accountId: string, change: { role: Role; passwordHash: string | undefined }): Promise<User>;
  /**
   * Replaces the password of a user and ends all sessions of the user, in one atomic update. Returns `null` if the user has changed since it
   * was read.
   */
  setPassword(user: User, passwordHash: string): Promise<User | null>;
}

/** Creates the service that stores users in a collection. */
export function createUsers(users: Collection<User>): Users {
  return {
    get: (accountId) => users.get(accountId),
    isEmpty: async () => (await users.find({ limit: 1 })).length === 0,
    countOperators: () => users.count({ role: 'operator' }),
    async enrol(accountId, { role, passwordHash }) {
      for (;;) {
        const user = await users.get(accountId);
        if (user) {
          const { generation } = user;
          const changed = await users.update(
            { id: accountId, generation },
            { role, generation: generation + 1, ...(passwordHash !== undefined && { passwordHash }) },
          );
          if (changed) return changed;
          continue;
        }
        const added: User = {
          id: accountId,
          role,
          passwordHash: passwordHash ?? null,
          generation: 1,
          createdAt: Date.now(),
        };
        try {
          await users.insert(added);
          return added;
        } catch (error) {
          if (!(error instanceof DuplicateKeyError)) throw error;
        }
      }
    },
    setPassword: ({ id, generation }, passwordHash) =>
      users.update({ id, generation }, { passwordHash, generation: generation + 1 }),
  };
}
