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
import { epochOf, type Users } from '../sign-in/users.ts';

const LINK_MS = 24 * 60 * 60_000;

/**
 * How long a request holds a link while it redeems it. This takes milliseconds; if its process dies, the link
 * works again after this time.
 */
const LEASE_MS = 30_000;

/**
 * The account that the first start creates for the first API key. The first link signs in to it and changes
 * its email address.
 */
const FIRST_EMAIL = 'admin@localhost';

/** A valid link, and the account and the user that it signs in, if they exist. */
export interface OpenLink {
  link: Link;
  account: Account | null;
  user: User | null;
}

/** Creates and redeems one-time sign-in links. */
export interface Links {
  /**
   * Creates a link for an account. If `accountId` is `null`, whoever redeems it names the email address
   * of the account.
   */
  create(options: { accountId: string | null; role: Role; baseUrl: string }): Promise<NewLink>;
  /** Deletes the unused links of earlier first starts, which belong to no account. */
  revokeFirst(): Promise<void>;
  /** Returns the link of a token. @throws {AppError} NOT_FOUND when it is unknown, used or expired */
  open(token: string): Promise<OpenLink>;
  /**
   * Redeems a link: finds or creates the account, and runs `enrol`, which stores its credentials and returns
   * `null` if the epoch of the link has ended. Of simultaneous calls, one succeeds. A call that fails leaves
   * the link valid. If the process dies during a call, the link works again after half a minute.
   * @throws {AppError} NOT_FOUND for an invalid link; CONFLICT when the email address belongs to an account
   * that already has a sign-in; VALIDATION_ERROR when the email address is missing
   */
  redeem(
    token: string,
    email: string | undefined,
    enrol: (account: Account, link: Link) => Promise<User | null>,
  ): Promise<{ account: Account; user: User }>;
}

export function createLinks({
  links,
  users,
  accounts,
  sealer,
}: {
  links: Collection<Link>;
  users: Pick<Users, 'get'>;
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
    if (link.accountId === null) return { link, account: null, user: null };
    const account = await accounts.get(link.accountId);
    if (!account) throw invalidLink();
    const user = await users.get(account.id);
    if (link.epoch !== epochOf(user)) throw invalidLink();
    return { link, account, user };
  }

  /** Finds or creates the account of the first link. */
  async function firstAccount(email: string | undefined): Promise<Account> {
    if (email === undefined) throw invalid('email', 'is required');
    const known = await accounts.findByEmail(email);
    if (known) {
      if (await users.get(known.id))
        throw new AppError('CONFLICT', 'this email address already signs in to the studio; sign in with it');
      return known;
    }
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

  return {
    open,
    async create({ accountId, role, baseUrl }) {
      const token = newId('', 43);
      const now = Date.now();
      const expiresAt = now + LINK_MS;
      await links.insert({
        id: newId('link_'),
        hash: sealer.hash('link', token),
        role,
        accountId,
        epoch: epochOf(accountId === null ? null : await users.get(accountId)),
        createdAt: now,
        claimedUntil: 0,
        usedAt: null,
        expiresAt,
      });
      return { url: `${baseUrl}/studio/link/${token}`, expiresAt };
    },
    async revokeFirst() {
      await links.delete({ accountId: null, usedAt: null });
    },
    async redeem(token, email, enrol) {
      const { link, account: named } = await open(token);
      const { id } = link;
      const now = Date.now();
      const leasedUntil = now + LEASE_MS;
      if (
        !(await links.update({ id, usedAt: null, claimedUntil: { lte: now } }, { claimedUntil: leasedUntil }))
      )
        throw invalidLink();
      try {
        const account = named ?? (await firstAccount(email));
        const user = await enrol(account, link);
        if (!user) throw invalidLink();
        if (!(await links.update({ id, usedAt: null, claimedUntil: leasedUntil }, { usedAt: Date.now() })))
          throw invalidLink();
        if (named === null) await links.delete({ accountId: null, usedAt: null });
        await links.delete({ accountId: account.id, usedAt: null });
        return { account, user };
      } catch (error) {
        await links.update({ id, usedAt: null, claimedUntil: leasedUntil }, { claimedUntil: 0 });
        throw error;
      }
    },
  };
}

function invalidLink(): AppError {
  return new AppError(
    'NOT_FOUND',
    'the link was used, has expired or never existed; create another with: platen studio link --email …',
  );
}
