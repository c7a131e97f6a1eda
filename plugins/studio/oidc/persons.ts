import {
  AppError,
  DuplicateKeyError,
  type Account,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { Identity, Passkey, User } from '../collections.ts';
import type { Studio } from '../studio.ts';
import { MEMBER_ROLES, type MemberRole } from '../members/roles.ts';
import type { Claims } from './provider.ts';
import type { OidcSettings } from './settings.ts';

/** The reasons for which a person may not sign in, as the sign-in page knows them. */
export type Refusal = 'unverified' | 'domain' | 'no_account' | 'suspended';

/** Thrown when the provider knows a person who may not sign in here. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`the person may not sign in: ${refusal}`);
    this.refusal = refusal;
  }
}

/** The same form as addresses that persons type, so that no two look alike. */
const EMAIL = /^[!-?A-~]{1,100}@[a-z0-9.-]{1,150}$/;

/**
 * Returns the verified email address of a person, in lower case.
 * @throws {RefusedError} when it is not verified, or its domain is not listed exactly
 */
export function verifiedEmail(
  { email, email_verified: isVerified }: Claims,
  { allowedDomains }: OidcSettings,
): string {
  if (typeof email !== 'string' || isVerified !== true) throw new RefusedError('unverified');
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!EMAIL.test(address) || !allowedDomains.includes(domain)) throw new RefusedError('domain');
  return address;
}

/**
 * Returns the greatest role that the role claim permits: the greatest of its values, or `viewer` if it has
 * none of the roles. Returns `undefined` without a role claim in the settings, which means no limit.
 */
export function greatestRole(claims: Claims, { roleClaim }: OidcSettings): MemberRole | undefined {
  if (roleClaim === undefined) return undefined;
  const value = claims[roleClaim];
  const named: unknown[] = Array.isArray(value) ? value : [value];
  return MEMBER_ROLES.toReversed().find((role) => named.includes(role)) ?? 'viewer';
}

/** Finds and creates the persons of the identity provider's users. */
export interface Persons {
  /**
   * Returns the person of an identity: the same person as before, or else the person with the verified
   * address, whom the identity is then bound to. Returns `null` for an unknown person.
   */
  find(claims: Claims, email: string): Promise<User | null>;
  /** Binds an identity to a person who was just created. */
  bind(claims: Claims, userId: string): Promise<void>;
  /**
   * Makes a person the owner of the account with their email address, which nobody signs in to, or of a new
   * account with the plan free.
   */
  createAccount(email: string): Promise<{ account: Account; user: User }>;
}

export function createPersons({
  identities,
  passkeys,
  users,
  administration: { accounts },
  sealer,
}: {
  identities: Collection<Identity>;
  passkeys: Collection<Passkey>;
  sealer: Sealer;
} & Pick<Studio, 'users' | 'administration'>): Persons {
  const idOf = ({ iss, sub }: Claims) => sealer.hash('identity', JSON.stringify([iss, sub]));

  /**
   * Removes the password and the passkeys of an invited person whose address nobody has proven before:
   * somebody else may have accepted the invitation.
   */
  async function dropUnprovenCredentials(user: User): Promise<User> {
    if (user.email === undefined) return user;
    await passkeys.delete({ accountId: user.id });
    const changed = await users.setPassword(user, null);
    if (!changed) throw new AppError('CONFLICT', 'the sign-in was changed at the same time; try again');
    return changed;
  }

  const persons: Persons = {
    async find(claims, email) {
      const known = await identities.get(idOf(claims));
      const bound = known && (await users.get(known.accountId));
      if (bound) return bound;
      const user = await users.findByEmail(email);
      if (!user) return null;
      const isProven = (await identities.count({ accountId: user.id })) > 0;
      const proven = isProven ? user : await dropUnprovenCredentials(user);
      await persons.bind(claims, user.id);
      return proven;
    },

    async bind(claims, userId) {
      const id = idOf(claims);
      // The person to whom the identity belonged was deleted.
      await identities.delete({ id });
      try {
        await identities.insert({ id, accountId: userId, createdAt: Date.now() });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    },

    async createAccount(email) {
      const account = await accounts.findOrCreate({ email, plan: 'free' });
      const user = await users.enrol(account.id, { role: 'owner', passwordHash: undefined, epoch: 0 });
      if (!user)
        throw new AppError('CONFLICT', 'this email address was registered at the same time; try again');
      return { account, user };
    },
  };
  return persons;
}
