import {
  AppError,
  DuplicateKeyError,
  invalid,
  newId,
  type Account,
  type Administration,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { Link, Role, User } from '../collections.ts';
import type { NewLink } from '../contract.ts';
import type { Members } from '../members/members.ts';
import { isAtLeast, MEMBER_ROLES, type MemberRole } from '../members/roles.ts';
import { epochOf, normalizeEmail, type Users } from '../sign-in/users.ts';

const SIGN_IN_LINK_MS = 24 * 60 * 60_000;
const INVITATION_MS = 7 * 24 * 60 * 60_000;

/**
 * How long a request holds a link while it redeems it. This takes milliseconds; if its process dies, the link
 * works again after this time.
 */
const LEASE_MS = 30_000;

/** The most unused invitations of an account. */
const MAX_INVITATIONS = 100;

/**
 * The account that the first start creates for the first API key. The first link signs in to it and changes
 * its email address.
 */
const FIRST_EMAIL = 'admin@localhost';

/** A valid link, and the account and the person that it signs in, if they exist. */
export interface OpenLink {
  link: Link;
  account: Account | null;
  user: User | null;
  /** The id of the person, who may not be stored yet; `null` for the link of the first start. */
  userId: string | null;
  /** The email address of the person; `null` for the link of the first start. */
  email: string | null;
}

/** A valid link whose account exists. */
export interface RedeemedLink {
  link: Link;
  account: Account;
  /** The id of the person, who may not be stored yet. */
  userId: string;
  email: string;
}

/** Creates and redeems one-time links. */
export interface Links {
  /**
   * Creates a sign-in link for the person who started an account, or for the person `userId`. If
   * `accountId` is `null`, whoever redeems it names the email address of the account.
   */
  create(options: {
    accountId: string | null;
    userId?: string | undefined;
    role: Role;
    baseUrl: string;
  }): Promise<NewLink>;
  /**
   * Creates an invitation, in place of an earlier invitation of the same person to the account.
   * @throws {AppError} CONFLICT when the account has 100 unused invitations
   */
  invite(options: {
    accountId: string;
    email: string;
    memberRole: MemberRole;
    invitedBy: string;
    baseUrl: string;
  }): Promise<NewLink & { id: string }>;
  /** Lists the unused invitations of an account, oldest first. */
  invitations(accountId: string): Promise<Link[]>;
  /** Ends the invitation of a person to an account, if there is one. */
  revokeInvitationOf(accountId: string, email: string): Promise<void>;
  /** Ends an invitation. Returns whether it existed. */
  revokeInvitation(accountId: string, id: string): Promise<boolean>;
  /** Deletes the unused links of earlier first starts, which belong to no account. */
  revokeFirst(): Promise<void>;
  /**
   * Returns the person whom a sign-in link for an account signs in: the person who started it, or else the
   * member of others with its email address.
   */
  personOf(account: Account): Promise<User | null>;
  /**
   * Returns the link of a token.
   * @throws {AppError} NOT_FOUND when it is unknown, used or expired, or its creator may no longer invite
   */
  open(token: string): Promise<OpenLink>;
  /**
   * Redeems a link that was opened, if it still concerns the same person: finds or creates the account, and
   * runs `enrol`, which stores the credentials or the membership and returns `null` if the epoch of the link
   * has ended. Of simultaneous calls, one succeeds. A call that fails leaves the link valid. If the process
   * dies during a call, the link works again after half a minute.
   * @throws {AppError} NOT_FOUND for an invalid link; CONFLICT when the email address belongs to an account
   * that already has a sign-in; VALIDATION_ERROR when the email address is missing
   */
  redeem(
    opened: OpenLink & { token: string },
    email: string | undefined,
    enrol: (redeemed: RedeemedLink) => Promise<User | null>,
  ): Promise<{ account: Account; user: User }>;
}

export function createLinks({
  links,
  users,
  members,
  accounts,
  sealer,
}: {
  links: Collection<Link>;
  users: Pick<Users, 'get' | 'findByEmail' | 'emailOf'>;
  members: Pick<Members, 'roleOf' | 'accountsOf'>;
  accounts: Administration['accounts'];
  sealer: Sealer;
}): Links {
  async function find(token: string): Promise<Link> {
    const [link] = await links.find({ where: { hash: sealer.hash('link', token) }, limit: 1 });
    if (!link || link.usedAt !== null) throw invalidLink();
    return link;
  }

  async function open(token: string): Promise<OpenLink> {
    const link = await find(token);
    if (link.accountId === null) return { link, account: null, user: null, userId: null, email: null };
    const account = await accounts.get(link.accountId);
    if (!account) throw invalidLink();
    if (typeof link.invited === 'string') return openInvitation(link, account, link.invited);
    const user = await personOf(account, link.userId);
    if (link.epoch !== epochOf(user)) throw invalidLink();
    const email = user ? await users.emailOf(user) : account.email;
    return { link, account, user, userId: user?.id ?? account.id, email };
  }

  /** An invitation works only as long as its creator may give the role. */
  async function openInvitation(link: Link, account: Account, email: string): Promise<OpenLink> {
    const inviter = await members.roleOf(link.invitedBy ?? '', account.id);
    if (!inviter || !isAtLeast(inviter, 'admin') || !isAtLeast(inviter, link.memberRole ?? 'owner'))
      throw invalidLink();
    if (account.suspendedAt !== null) throw invalidLink();
    const found = await users.findByEmail(email);
    // A crash can keep the sign-in of a person who lost their last account. Such a person is new again.
    const isKnown = found && (found.role === 'operator' || (await members.accountsOf(found.id)).length > 0);
    const user = isKnown ? found : null;
    // The id follows from the link, so that a repetition after a crash finds the same person.
    const userId = user?.id ?? `user_${link.id.slice('link_'.length)}`;
    return { link, account, user, userId, email };
  }

  /**
   * Returns the person who started an account, or else the member of others with its email address, or
   * the person `userId`.
   */
  async function personOf(account: Account, userId: string | undefined): Promise<User | null> {
    if (userId !== undefined) return users.get(userId);
    return (await users.get(account.id)) ?? users.findByEmail(account.email);
  }

  /** Finds or creates the account of the first link. */
  async function firstAccount(email: string | undefined): Promise<Account> {
    if (email === undefined) throw invalid('email', 'is required');
    if (await users.findByEmail(email))
      throw new AppError('CONFLICT', 'this email address already signs in to the studio; sign in with it');
    const known = await accounts.findByEmail(email);
    if (known) return known;
    const first = await accounts.findByEmail(FIRST_EMAIL);
    try {
      if (!first || (await users.get(first.id))) return await accounts.create({ email, plan: 'enterprise' });
      return (await accounts.update(first.id, { email })) ?? first;
    } catch (error) {
      if (error instanceof DuplicateKeyError)
        throw new AppError('CONFLICT', 'this email address was registered at the same time; try again');
      throw error;
    }
  }

  /** Stores a link, in place of an earlier link with the same id. */
  async function add(
    id: string,
    fields: Omit<Link, 'id' | 'hash' | 'createdAt' | 'claimedUntil' | 'usedAt' | 'expiresAt'>,
    { baseUrl, lifetimeMs }: { baseUrl: string; lifetimeMs: number },
  ): Promise<NewLink> {
    const token = newId('', 43);
    const createdAt = Date.now();
    const expiresAt = createdAt + lifetimeMs;
    const hash = sealer.hash('link', token);
    const link = { hash, ...fields, createdAt, claimedUntil: 0, usedAt: null, expiresAt };
    try {
      await links.insert({ id, ...link });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await links.update({ id }, link);
    }
    return { url: `${baseUrl}/studio/link/${token}`, expiresAt };
  }

  return {
    open,
    personOf: (account) => personOf(account, undefined),
    async create({ accountId, userId, role, baseUrl }) {
      const account = accountId === null ? null : await accounts.get(accountId);
      const epoch = epochOf(account && (await personOf(account, userId)));
      const fields = { role, accountId, ...(userId !== undefined && { userId }), epoch };
      return add(newId('link_'), fields, { baseUrl, lifetimeMs: SIGN_IN_LINK_MS });
    },
    async invite({ accountId, email, memberRole, invitedBy, baseUrl }) {
      const invited = normalizeEmail(email);
      // The id follows from the account and the address, so that a person has one invitation at most.
      const id = `link_${sealer.hash('invitation', `${accountId}\n${invited}`).slice(0, 24)}`;
      const others = (await this.invitations(accountId)).filter((other) => other.id !== id);
      if (others.length >= MAX_INVITATIONS)
        throw new AppError('CONFLICT', `the account has ${MAX_INVITATIONS} invitations; revoke one first`);
      const fields = { role: 'owner', accountId, invited, memberRole, invitedBy, epoch: 0 } as const;
      return { id, ...(await add(id, fields, { baseUrl, lifetimeMs: INVITATION_MS })) };
    },
    async invitations(accountId) {
      const found = await links.find({ where: { accountId, usedAt: null }, order: { createdAt: 'asc' } });
      return found.filter(isInvitation);
    },
    async revokeInvitationOf(accountId, email) {
      await links.delete({ accountId, invited: normalizeEmail(email), usedAt: null });
    },
    async revokeInvitation(accountId, id) {
      return (await links.delete({ id, accountId, usedAt: null, memberRole: { in: [...MEMBER_ROLES] } })) > 0;
    },
    async revokeFirst() {
      await links.delete({ accountId: null, usedAt: null });
    },
    async redeem({ token, user: expected }, givenEmail, enrol) {
      const { link, account: named, user: found, userId, email } = await open(token);
      // Another person may have registered, or have joined, since the link was opened.
      if (found?.id !== expected?.id)
        throw new AppError(
          'CONFLICT',
          'this email address was registered in the meantime; open the link again',
        );
      const { id } = link;
      const now = Date.now();
      const leasedUntil = now + LEASE_MS;
      if (
        !(await links.update({ id, usedAt: null, claimedUntil: { lte: now } }, { claimedUntil: leasedUntil }))
      )
        throw invalidLink();
      try {
        const account = named ?? (await firstAccount(givenEmail));
        const person = { userId: userId ?? account.id, email: email ?? account.email };
        const user = await enrol({ link, account, ...person });
        if (!user) throw invalidLink();
        if (!(await links.update({ id, usedAt: null, claimedUntil: leasedUntil }, { usedAt: Date.now() })))
          throw invalidLink();
        if (named === null) await links.delete({ accountId: null, usedAt: null });
        if (!isInvitation(link)) await links.delete({ accountId: account.id, usedAt: null, invited: null });
        return { account, user };
      } catch (error) {
        await links.update({ id, usedAt: null, claimedUntil: leasedUntil }, { claimedUntil: 0 });
        throw error;
      }
    },
  };
}

/** Tells whether a link invites a person instead of signing one in. */
export function isInvitation({ invited }: Link): boolean {
  return typeof invited === 'string';
}

function invalidLink(): AppError {
  return new AppError(
    'NOT_FOUND',
    'the link was used or revoked, has expired or never existed; ask for another, or create a sign-in link with: platen studio link --email …',
  );
}
