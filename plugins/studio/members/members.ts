import { AppError, DuplicateKeyError, notFound, type Collection } from '../../../src/plugin.ts';
import type { Member, Membership, Team } from '../collections.ts';
import type { Users } from '../sign-in/users.ts';
import { isAtLeast, type MemberRole } from './roles.ts';

/** The most members of an account. */
const MAX_MEMBERS = 100;

/** An account in which a person is a member. */
export interface OwnMembership {
  accountId: string;
  role: MemberRole;
}

/**
 * The members of accounts. The person with whom an account began is its owner without a record; the record of
 * an account begins with its first change.
 */
export interface Members {
  /** Returns the role of a person in an account, or `null` if the person is not a member. */
  roleOf(userId: string, accountId: string): Promise<MemberRole | null>;
  /** Lists the members of an account in the order in which they joined. */
  list(accountId: string): Promise<readonly Member[]>;
  /** Lists the accounts of a person: the account that began with the person first, then by time. */
  accountsOf(userId: string): Promise<OwnMembership[]>;
  /**
   * Adds a member, or gives a member another role. Adding the same member twice changes nothing.
   * @throws {AppError} CONFLICT when the account has 100 members, or would have no owner
   */
  set(accountId: string, userId: string, role: MemberRole): Promise<Member>;
  /** Makes a person a member with a role, unless their role already has more permissions. */
  join(accountId: string, userId: string, role: MemberRole): Promise<void>;
  /**
   * Removes a member.
   * @throws {AppError} CONFLICT for the last owner; NOT_FOUND when the person is not a member
   */
  remove(accountId: string, userId: string): Promise<void>;
  /** Removes all members of an account that is being erased, and returns their ids. */
  disband(accountId: string): Promise<string[]>;
}

export function createMembers({
  teams,
  memberships,
  users,
}: {
  teams: Collection<Team>;
  memberships: Collection<Membership>;
  users: Pick<Users, 'get'>;
}): Members {
  /** Returns the record of an account, or the record that it would have before its first change. */
  async function read(accountId: string): Promise<Team> {
    const stored = await teams.get(accountId);
    if (stored) return stored;
    const first = await users.get(accountId);
    // A person with an own email address has survived the account of the same id.
    const isFirst = first !== null && first.email === undefined;
    const members: Member[] = isFirst ? [{ userId: first.id, role: 'owner', joinedAt: first.createdAt }] : [];
    return { id: accountId, members, revision: 0 };
  }

  /**
   * Changes the members in one atomic write, which is repeated if another request changes them at the same
   * time. `change` returns `null` to change nothing.
   */
  async function write(
    accountId: string,
    change: (members: readonly Member[]) => Promise<Member[] | null>,
  ): Promise<void> {
    for (;;) {
      const { members: before, revision } = await read(accountId);
      const members = await change(before);
      if (members === null) return;
      if (revision === 0) {
        try {
          return await teams.insert({ id: accountId, members, revision: 1 });
        } catch (error) {
          if (!(error instanceof DuplicateKeyError)) throw error;
        }
      } else if (await teams.update({ id: accountId, revision }, { members, revision: revision + 1 })) return;
    }
  }

  /** @throws {AppError} CONFLICT */
  async function requireOwner(members: readonly Member[]): Promise<void> {
    for (const { userId, role } of members) if (role === 'owner' && (await users.get(userId))) return;
    throw new AppError('CONFLICT', 'an account needs an owner; make another member the owner first');
  }

  return {
    async roleOf(userId, accountId) {
      const { members } = await read(accountId);
      return members.find((member) => member.userId === userId)?.role ?? null;
    },

    async list(accountId) {
      return (await read(accountId)).members;
    },

    async accountsOf(userId) {
      const found = await memberships.find({ where: { userId }, order: { createdAt: 'asc', id: 'asc' } });
      const ids = new Set([userId, ...found.map(({ accountId }) => accountId)]);
      const roles = await Promise.all(
        [...ids].map(async (accountId) => ({ accountId, role: await this.roleOf(userId, accountId) })),
      );
      return roles.filter((each): each is OwnMembership => each.role !== null);
    },

    async set(accountId, userId, role) {
      // The record of the account, which is written last, decides. Without it, this record has no effect.
      try {
        const id = idOf(accountId, userId);
        await memberships.insert({ id, accountId, userId, createdAt: Date.now() });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
      let result: Member = { userId, role, joinedAt: Date.now() };
      await write(accountId, async (members) => {
        const known = members.find((member) => member.userId === userId);
        result = { ...(known ?? result), role };
        if (known?.role === role) return null;
        if (!known && members.length >= MAX_MEMBERS)
          throw new AppError('CONFLICT', `the account has ${MAX_MEMBERS} members; remove one first`);
        if (!known) return [...members, result];
        const changed = members.map((member) => (member === known ? result : member));
        if (known.role === 'owner') await requireOwner(changed);
        return changed;
      });
      return result;
    },

    async join(accountId, userId, role) {
      const known = await this.roleOf(userId, accountId);
      if (!known || !isAtLeast(known, role)) await this.set(accountId, userId, role);
    },

    async remove(accountId, userId) {
      await write(accountId, async (members) => {
        const known = members.find((member) => member.userId === userId);
        if (!known) throw notFound('member');
        const rest = members.filter((member) => member !== known);
        if (known.role === 'owner') await requireOwner(rest);
        return rest;
      });
      await memberships.delete({ id: idOf(accountId, userId) });
    },

    async disband(accountId) {
      const { members } = await read(accountId);
      await memberships.delete({ accountId });
      return members.map(({ userId }) => userId);
    },
  };
}

function idOf(accountId: string, userId: string): string {
  return `${accountId} ${userId}`;
}
