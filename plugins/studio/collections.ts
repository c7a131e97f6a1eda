import type { CollectionSpec } from '../../src/plugin.ts';
import type { MemberRole } from './members/roles.ts';

/** The role of a sign-in. Operators manage all accounts. All other people have the role `owner`. */
export type Role = 'owner' | 'operator';

/**
 * A person who signs in. The person who started an account has the id of the account. Times in all
 * records are milliseconds since 1970.
 */
export interface User {
  id: string;
  /** The email address; absent if it is that of the account with the same id. */
  email?: string;
  role: Role;
  /** `null` for a person who signs in with passkeys or OpenID Connect only. */
  passwordHash: string | null;
  /** The account in which the person worked last; absent if it has the id of the person. */
  lastAccountId?: string;
  /** The limit of the person's role in all accounts, from the identity provider; absent without a limit. */
  highestRole?: MemberRole | null;
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

/**
 * A {@link Session} in the database. `accountId` is the id of the user, as in release 0.1.0. The account is
 * in `memberOf`, which is absent if it has the same id.
 */
export type StoredSession = Omit<Stored<Session>, 'userId'> & { memberOf?: string };

/** A signed-in browser. */
export interface Session {
  id: string;
  userId: string;
  /** The account in which the person works. */
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

/** A one-time link: a sign-in link or the invitation of a member. */
export interface Link {
  id: string;
  /** The HMAC of the token in the URL. */
  hash: string;
  role: Role;
  /**
   * The account that the link signs in, or to which it invites; `null` for the link of the first start, which
   * asks for the email address.
   */
  accountId: string | null;
  /** The person whose sign-in the link replaces; absent if it is the person who started the account. */
  userId?: string;
  /** The email address of the invited person; absent from sign-in links, or `null`. */
  invited?: string | null;
  /** The role of the invited person. */
  memberRole?: MemberRole;
  /** The member who invited the person. */
  invitedBy?: string;
  /** The epoch of the user when the link was created; 0 without a user, and for invitations. */
  epoch: number;
  createdAt: number;
  /** Until this time, no other request may redeem the link. */
  claimedUntil: number;
  usedAt: number | null;
  expiresAt: number;
}

/** A member of an account. */
export interface Member {
  userId: string;
  role: MemberRole;
  joinedAt: number;
}

/** The members of an account. Its id is the id of the account. */
export interface Team {
  id: string;
  members: readonly Member[];
  /** Incremented with each change. */
  revision: number;
}

/** Finds the accounts of a person. Only the {@link Team} decides who is a member. */
export interface Membership {
  id: string;
  accountId: string;
  userId: string;
  createdAt: number;
}

export interface Passkey {
  id: string;
  /** The id of the user, as in release 0.1.0. */
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

/** The person of an identity provider's user. The id is the HMAC of the issuer and the subject. */
export interface Identity {
  id: string;
  /** The id of the user. */
  accountId: string;
  issuer: string;
  createdAt: number;
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
  indexes: [{ fields: { role: 'asc' } }, { fields: { email: 'asc' }, unique: true }],
};

const teams: CollectionSpec<Team> = { name: 'studio_teams', usesReserve: true };

const memberships: CollectionSpec<Membership> = {
  name: 'studio_memberships',
  usesReserve: true,
  indexes: [
    { fields: { userId: 'asc', createdAt: 'asc', id: 'asc' } },
    { fields: { accountId: 'asc', createdAt: 'asc' } },
  ],
};

const sessions: CollectionSpec<StoredSession> = {
  name: 'studio_sessions',
  usesReserve: true,
  indexes: [
    { fields: { hash: 'asc' }, unique: true },
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { memberOf: 'asc', createdAt: 'asc' } },
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

const identities: CollectionSpec<Identity> = {
  name: 'studio_identities',
  usesReserve: true,
  indexes: [{ fields: { accountId: 'asc', createdAt: 'asc' } }],
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
export const collections = {
  users,
  teams,
  memberships,
  sessions,
  links,
  passkeys,
  identities,
  usedChallenges,
  attempts,
};
