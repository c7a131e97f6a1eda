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

/** Checks a change of a member. @throws {AppError} to refuse it */
export type MemberCheck = (member: Member, members: readonly Member[]) => void;

/**
 * The members of accounts. The person who started an account is its owner without a record. The record is
 * created with the first change.
 */
export interface Members {
  /** Returns the role of a person in an account, or `null` if the person is not a member. */
  roleOf(userId: string, accountId: string): Promise<MemberRole | null>;
  /** Lists the members of an account in the order in which they joined. */
  list(accountId: string): Promise<readonly Member[]>;
  /** Lists the accounts of a person: the account that began with the person first, then by time. */
  accountsOf(userId: string): Promise<OwnMembership[]>;
  /**
   * Makes a person a member with a role, unless their role already has more permissions.
   * @throws {AppError} CONFLICT when the account has 100 members
   */
  add(accountId: string, userId: string, role: MemberRole): Promise<void>;
  /**
   * Gives a member another role. `check` gets the members as they are when the role changes.
   * @throws {AppError} CONFLICT when the account would have no owner; NOT_FOUND when the person is not a
   * member; and what `check` throws
   */
  change(accountId: string, userId: string, role: MemberRole, check: MemberCheck): Promise<Member>;
  /**
   * Removes a member. `check` gets the members as they are when the member is removed.
   * @throws {AppError} CONFLICT for the last owner; NOT_FOUND when the person is not a member; and what
   * `check` throws
   */
  remove(accountId: string, userId: string, check: MemberCheck): Promise<void>;
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
    // A person with an email address of their own has outlived the account of the same id.
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

    async add(accountId, userId, role) {
      // The record of the account, which is written last, decides. Without it, this record has no effect.
      try {
        const id = idOf(accountId, userId);
        await memberships.insert({ id, accountId, userId, createdAt: Date.now() });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
      await write(accountId, async (members) => {
        const known = members.find((member) => member.userId === userId);
        if (known && isAtLeast(known.role, role)) return null;
        if (!known && members.length >= MAX_MEMBERS)
          throw new AppError('CONFLICT', `the account has ${MAX_MEMBERS} members; remove one first`);
        const added = known ? { ...known, role } : { userId, role, joinedAt: Date.now() };
        return known ? members.map((member) => (member === known ? added : member)) : [...members, added];
      });
    },

    async change(accountId, userId, role, check) {
      let changed: Member | undefined;
      await write(accountId, async (members) => {
        const known = requireMember(members, userId);
        check(known, members);
        changed = { ...known, role };
        if (known.role === role) return null;
        const after = members.map((member) => (member === known ? { ...known, role } : member));
        if (known.role === 'owner') await requireOwner(after);
        return after;
      });
      return changed as Member;
    },

    async remove(accountId, userId, check) {
      await write(accountId, async (members) => {
        const known = requireMember(members, userId);
        check(known, members);
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

/** @throws {AppError} NOT_FOUND */
function requireMember(members: readonly Member[], userId: string): Member {
  const found = members.find((member) => member.userId === userId);
  if (!found) throw notFound('member');
  return found;
}

function idOf(accountId: string, userId: string): string {
  return `${accountId} ${userId}`;
}
