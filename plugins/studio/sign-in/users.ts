import { DuplicateKeyError, type Collection } from '../../../src/plugin.ts';
import type { Role, User } from '../collections.ts';

/** Stores the credentials and roles of accounts. */
export interface Users {
  get(accountId: string): Promise<User | null>;
  /** Tells whether no account can sign in yet, which is the case on the first start. */
  isEmpty(): Promise<boolean>;
  countOperators(): Promise<number>;
  /**
   * Stores a role and, unless it is `undefined`, a new password. In the same write, all sessions and unused links of the account end. Returns
   * `null` if the epoch of the account differs from `epoch`, which is 0 without a user; without `epoch`, any is accepted.
   */
  enrol(
    accountId: string,
    change: { role: Role; passwordHash: string | undefined; epoch: number | undefined },
  ): Promise<User | null>;
  /**
   * Replaces the password of a user and ends all sessions and unused links of the user, in one atomic update. Returns `null` if the user has
   * changed since it was read.
   */
  setPassword(user: User, passwordHash: string): Promise<User | null>;
  /** Ends all sessions and unused links of a user, in one atomic update. Returns `null` if the user has changed since it was read. */
  endEpoch(user: User): Promise<User | null>;
}

/** Creates the service that stores users in a collection. */
export function createUsers(users: Collection<User>): Users {
  return {
    get: (accountId) => users.get(accountId),
    isEmpty: async () => (await users.find({ limit: 1 })).length === 0,
    countOperators: () => users.count({ role: 'operator' }),
    async enrol(accountId, { role, passwordHash, epoch }) {
      for (;;) {
        const user = await users.get(accountId);
        if (epoch !== undefined && epoch !== epochOf(user)) return null;
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
    endEpoch: ({ id, generation }) => users.update({ id, generation }, { generation: generation + 1 }),
  };
}

/** Returns the epoch of an account's sessions and links: 0 until it has a user. */
export function epochOf(user: User | null): number {
  return user?.generation ?? 0;
}
