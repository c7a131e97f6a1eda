import { DuplicateKeyError, type Administration, type Collection } from '../../../src/plugin.ts';
import type { Role, StoredUser, User } from '../collections.ts';
import type { MemberRole } from '../members/roles.ts';

/** Stores the credentials of people. */
export interface Users {
  get(id: string): Promise<User | null>;
  /** Finds a person by email address. */
  findByEmail(email: string): Promise<User | null>;
  /** Returns the email address of a person. */
  emailOf(user: User): Promise<string>;
  /** Tells whether no person can sign in yet, which is the case on the first start. */
  isEmpty(): Promise<boolean>;
  countOperators(): Promise<number>;
  /**
   * Stores a role and, unless it is `undefined`, a new password. In the same write, all sessions and unused
   * links of the person end. Returns `null` if the epoch of the person differs from `epoch`, which is 0
   * without a user.
   */
  enrol(
    id: string,
    change: { role: Role; passwordHash: string | undefined; epoch: number },
  ): Promise<User | null>;
  /**
   * Stores an invited person, who is a member only of the accounts of others. `id` must be that of the
   * invitation: a repetition after a crash replaces the password.
   * @throws {DuplicateKeyError} when another person has the email address
   */
  add(user: { id: string; email: string; passwordHash: string | null }): Promise<User>;
  /**
   * Keeps a person whose account is being erased, who is a member of others. Without an account of the same
   * id, the record needs the email address.
   */
  detach(user: User, email: string): Promise<void>;
  /** Remembers the account in which a person works, for the next sign-in. */
  remember(id: string, accountId: string): Promise<void>;
  /** Limits the role of a person in all accounts, or ends the limit. */
  limitRole(id: string, highestRole: MemberRole | null): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Replaces the password of a user and ends all sessions and unused links of the user, in one atomic update.
   * Returns `null` if the user has changed since it was read.
   */
  setPassword(user: User, passwordHash: string | null): Promise<User | null>;
  /**
   * Ends all sessions and unused links of a user, in one atomic update. Returns `null` if the user has
   * changed since it was read.
   */
  endEpoch(user: User): Promise<User | null>;
}

export function createUsers(
  users: Collection<StoredUser>,
  accounts: Pick<Administration['accounts'], 'get' | 'findByEmail'>,
): Users {
  async function update(
    { id, epoch }: Pick<User, 'id' | 'epoch'>,
    change: Partial<Pick<User, 'role' | 'passwordHash'>>,
  ): Promise<User | null> {
    return read(await users.update({ id, generation: epoch }, { ...change, generation: epoch + 1 }));
  }

  return {
    get: async (id) => read(await users.get(id)),
    async findByEmail(email) {
      const account = await accounts.findByEmail(email);
      const first = account && (await users.get(account.id));
      if (first && first.email === undefined) return read(first);
      const [found] = await users.find({ where: { email: normalizeEmail(email) }, limit: 1 });
      return read(found ?? null);
    },
    async emailOf({ id, email }) {
      return email ?? (await accounts.get(id))?.email ?? '';
    },
    isEmpty: async () => (await users.find({ limit: 1 })).length === 0,
    countOperators: () => users.count({ role: 'operator' }),
    async enrol(id, { role, passwordHash, epoch }) {
      for (;;) {
        const user = read(await users.get(id));
        if (epoch !== epochOf(user)) return null;
        if (user) {
          const changed = await update(user, { role, ...(passwordHash !== undefined && { passwordHash }) });
          if (changed) return changed;
          continue;
        }
        const added: StoredUser = {
          id,
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
    async add({ id, email, passwordHash }) {
      const now = Date.now();
      // A removed person who is invited again must not find their earlier sessions.
      const epoch = now;
      const added: StoredUser = {
        id,
        email: normalizeEmail(email),
        role: 'owner',
        passwordHash,
        generation: epoch,
        createdAt: now,
      };
      const replaced = await users.update({ id }, { passwordHash, generation: epoch });
      if (!replaced) await users.insert(added);
      const winner = await this.findByEmail(email);
      if (winner?.id === id) return read(replaced ?? added);
      await users.delete({ id });
      throw new DuplicateKeyError('studio_users');
    },
    async detach({ id }, email) {
      await users.update({ id }, { email: normalizeEmail(email) });
    },
    async remember(id, lastAccountId) {
      await users.update({ id }, { lastAccountId });
    },
    async limitRole(id, highestRole) {
      await users.update({ id }, { highestRole });
    },
    async remove(id) {
      await users.delete({ id });
    },
    setPassword: (user, passwordHash) => update(user, { passwordHash }),
    endEpoch: (user) => update(user, {}),
  };
}

/** Returns the epoch of the sessions and links of a person: 0 until there is a user. */
export function epochOf(user: User | null): number {
  return user?.epoch ?? 0;
}

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

function read(stored: StoredUser): User;
function read(stored: StoredUser | null): User | null;
function read(stored: StoredUser | null): User | null {
  if (!stored) return null;
  const { generation: epoch, ...user } = stored;
  return { ...user, epoch };
}
