import type { CollectionSpec } from '../../src/plugin.ts';

/** The role of a sign-in. Owners manage their own account, and operators manage all accounts. */
export type Role = 'owner' | 'operator';

/**
 * The sign-in of an account. Its id is the id of the account. Times in all records are milliseconds since
 * 1970.
 */
export interface User {
  id: string;
  role: Role;
  /** `null` for an account that signs in with passkeys only. */
  passwordHash: string | null;
  /**
   * The epoch of sessions and links, incremented when the password or role changes or a link is used.
   * Sessions and links of an earlier epoch have ended.
   */
  epoch: number;
  createdAt: number;
}

/** A record in which the epoch of a user has the name that release 0.1.0 gave it. */
type Stored<Entry extends { epoch: number }> = Omit<Entry, 'epoch'> & { generation: number };

/** A {@link User} in the database. */
export type StoredUser = Stored<User>;

/** A {@link Session} in the database. */
export type StoredSession = Stored<Session>;

/** A signed-in browser. */
export interface Session {
  id: string;
  accountId: string;
  /** The HMAC of the token in the cookie. */
  hash: string;
  /** The epoch of the user at the sign-in. */
  epoch: number;
  address: string;
  userAgent: string;
  createdAt: number;
  /**
   * The time at which the person last confirmed their identity after the sign-in. Absent without a
   * confirmation.
   */
  confirmedAt?: number;
  /** May be up to a minute old. */
  lastUsedAt: number;
  expiresAt: number;
}

/** A one-time sign-in link. */
export interface Link {
  id: string;
  /** The HMAC of the token in the URL. */
  hash: string;
  role: Role;
  /**
   * The account that the link signs in; `null` for the link of the first start, which asks for the email
   * address.
   */
  accountId: string | null;
  /** The epoch of the user when the link was created; 0 without a user. */
  epoch: number;
  createdAt: number;
  /** Until this time, no other request may redeem the link. */
  claimedUntil: number;
  usedAt: number | null;
  expiresAt: number;
}

export interface Passkey {
  id: string;
  accountId: string;
  /** The id that the browser gives the credential, in base64url. */
  credentialId: string;
  /** The COSE key in base64url. */
  publicKey: string;
  counter: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A challenge that was answered, so it is not accepted again. */
export interface UsedChallenge {
  id: string;
  expiresAt: number;
}

/**
 * The failed sign-ins of an account or from an address in the current window. The id is the HMAC of the email
 * address or the IP address.
 */
export interface Attempts {
  id: string;
  count: number;
  expiresAt: number;
}

const users: CollectionSpec<StoredUser> = {
  name: 'studio_users',
  usesReserve: true,
  indexes: [{ fields: { role: 'asc' } }],
};

const sessions: CollectionSpec<StoredSession> = {
  name: 'studio_sessions',
  usesReserve: true,
  indexes: [
    { fields: { hash: 'asc' }, unique: true },
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
  expiry: 'expiresAt',
};

const links: CollectionSpec<Link> = {
  name: 'studio_links',
  usesReserve: true,
  indexes: [{ fields: { hash: 'asc' }, unique: true }, { fields: { accountId: 'asc', createdAt: 'asc' } }],
  expiry: 'expiresAt',
};

const passkeys: CollectionSpec<Passkey> = {
  name: 'studio_passkeys',
  usesReserve: true,
  indexes: [
    { fields: { credentialId: 'asc' }, unique: true },
    { fields: { accountId: 'asc', createdAt: 'asc', id: 'asc' } },
  ],
};

const usedChallenges: CollectionSpec<UsedChallenge> = {
  name: 'studio_used_challenges',
  usesReserve: true,
  expiry: 'expiresAt',
};

const attempts: CollectionSpec<Attempts> = {
  name: 'studio_attempts',
  usesReserve: true,
  expiry: 'expiresAt',
};

/**
 * The collections of the plugin. All use the reserve, because a person signs in to free space, and each
 * record is small.
 */
export const collections = { users, sessions, links, passkeys, usedChallenges, attempts };
