import { DuplicateKeyError, type Collection } from '../../../src/plugin.ts';
import type { Role, StoredUser, User } from '../collections.ts';

/** Stores the credentials and roles of accounts. */
export interface Users {
  get(accountId: string): Promise<User | null>;
  /** Tells whether no account can sign in yet, which is the case on the first start. */
  isEmpty(): Promise<boolean>;
  countOperators(): Promise<number>;
  /**
   * Stores a role and, unless it is `undefined`, a new password. In the same write, all sessions and unused
   * links of the account end. Returns `null` if the epoch of the account differs from `epoch`, which is 0
   * without a user.
   */
  enrol(
    accountId: string,
    change: { role: Role; passwordHash: string | undefined; epoch: number },
  ): Promise<User | null>;
  /**
   * Replaces the password of a user and ends all sessions and unused links of the user, in one atomic update.
   * Returns `null` if the user has changed since it was read.
   */
  setPassword(user: User, passwordHash: string): Promise<User | null>;
  /**
   * Ends all sessions and unused links of a user, in one atomic update. Returns `null` if the user has
   * changed since it was read.
   */
  endEpoch(user: User): Promise<User | null>;
}

export function createUsers(users: Collection<StoredUser>): Users {
  async function update(
    { id, epoch }: Pick<User, 'id' | 'epoch'>,
    change: Partial<Pick<User, 'role' | 'passwordHash'>>,
  ): Promise<User | null> {
    return read(await users.update({ id, generation: epoch }, { ...change, generation: epoch + 1 }));
  }

  return {
    get: async (accountId) => read(await users.get(accountId)),
    isEmpty: async () => (await users.find({ limit: 1 })).length === 0,
    countOperators: () => users.count({ role: 'operator' }),
    async enrol(accountId, { role, passwordHash, epoch }) {
      for (;;) {
        const user = read(await users.get(accountId));
        if (epoch !== epochOf(user)) return null;
        if (user) {
          const changed = await update(user, { role, ...(passwordHash !== undefined && { passwordHash }) });
          if (changed) return changed;
          continue;
        }
        const added: StoredUser = {
          id: accountId,
          role,
          passwordHash: passwordHash ?? null,
          generation: 1,
          createdAt: Date.now(),
        };
        try {
          await users.insert(added);
          return read(added);
        } catch (error) {
          if (!(error instanceof DuplicateKeyError)) throw error;
        }
      }
    },
    setPassword: (user, passwordHash) => update(user, { passwordHash }),
    endEpoch: (user) => update(user, {}),
  };
}

/** Returns the epoch of an account's sessions and links: 0 until it has a user. */
export function epochOf(user: User | null): number {
  return user?.epoch ?? 0;
}

function read(stored: StoredUser): User;
function read(stored: StoredUser | null): User | null;
function read(stored: StoredUser | null): User | null {
  if (!stored) return null;
  const { generation: epoch, ...user } = stored;
  return { ...user, epoch };
}
