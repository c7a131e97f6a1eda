import {
  AppError,
  DuplicateKeyError,
  type Account,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { Passkey, User } from '../collections.ts';
import type { Studio } from '../studio.ts';
import { MEMBER_ROLES, type MemberRole } from '../members/roles.ts';
import type { Claims } from './provider.ts';
import type { OidcSettings } from './settings.ts';

/** The reasons for which a person may not sign in, as the sign-in page knows them. */
export type Refusal =
  | 'unverified'
  | 'domain'
  | 'no_account'
  | 'suspended'
  | 'invitation'
  | 'other_subject'
  | 'other_person';

/** Thrown when the provider knows a person who may not sign in here. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`the person may not sign in: ${refusal}`);
    this.refusal = refusal;
  }
}

/** ASCII only, so that no two addresses look alike. */
const EMAIL = /^[!-?A-~]{1,100}@[A-Za-z0-9.-]{1,150}$/;

/**
 * Returns the verified email address of a person, in lower case.
 * @throws {RefusedError} when it is not verified, or its domain is not listed exactly
 */
export function verifiedEmail(
  { email, email_verified: isVerified }: Claims,
  { allowedDomains }: OidcSettings,
): string {
  if (typeof email !== 'string' || isVerified !== true) throw new RefusedError('unverified');
  // Lower case would make ASCII letters of some others, such as the Kelvin sign.
  if (!EMAIL.test(email)) throw new RefusedError('domain');
  const address = email.toLowerCase();
  if (!allowedDomains.includes(address.slice(address.lastIndexOf('@') + 1))) throw new RefusedError('domain');
  return address;
}

/**
 * Returns the highest role that the role claim permits: the highest of its values, or `viewer` if it has none
 * of the roles. Returns `null` without a role claim in the settings, which means no limit.
 */
export function highestRole(claims: Claims, { roleClaim }: OidcSettings): MemberRole | null {
  if (roleClaim === undefined) return null;
  const value = claims[roleClaim];
  const named: unknown[] = Array.isArray(value) ? value : [value];
  return MEMBER_ROLES.toReversed().find((role) => named.includes(role)) ?? 'viewer';
}

/** Finds and creates the persons of the identity provider's users. */
export interface Persons {
  /**
   * Returns the person of an identity: the same person as before, or else the person with the verified
   * address, to whom the identity is then bound. Returns `null` for an unknown person.
   * @throws {RefusedError} when another identity of the provider is bound to the person
   */
  find(claims: Claims, email: string): Promise<User | null>;
  /** Returns the person to whom an identity is bound, without binding it; `null` for any other identity. */
  findBound(claims: Pick<Claims, 'sub'>): Promise<User | null>;
  /** Binds an identity to a person who was just created. */
  bind(claims: Claims, userId: string): Promise<void>;
  /**
   * Makes a person the owner of the account with their email address, which has no member, or of a new
   * account with the plan free.
   * @throws {RefusedError} when the account has members
   */
  createAccount(email: string): Promise<{ account: Account; user: User }>;
}

export function createPersons({
  identities,
  issuer,
  passkeys,
  users,
  members,
  administration: { accounts },
  sealer,
}: {
  passkeys: Collection<Passkey>;
  issuer: string;
  sealer: Sealer;
} & Pick<Studio, 'users' | 'members' | 'identities' | 'administration'>): Persons {
  const idOf = ({ sub }: Pick<Claims, 'sub'>) => sealer.hash('identity', JSON.stringify([issuer, sub]));

  /**
   * Removes the password and the passkeys of an invited person whose address was unproven until now: an
   * impostor may have accepted the invitation.
   */
  async function dropUnprovenCredentials(user: User): Promise<User> {
    if (!user.id.startsWith('user_')) return user;
    const changed = await users.setPassword(user, null);
    if (!changed) throw new AppError('CONFLICT', 'the sign-in was changed at the same time; try again');
    // No session is left that could add another passkey.
    await passkeys.delete({ accountId: user.id });
    return changed;
  }

  const persons: Persons = {
    async findBound(claims) {
      const known = await identities.get(idOf(claims));
      return known && users.get(known.accountId);
    },

    async find(claims, email) {
      const bound = await persons.findBound(claims);
      if (bound) return bound;
      const user = await users.findByEmail(email);
      if (!user) return null;
      if ((await identities.count({ accountId: user.id, issuer })) > 0)
        throw new RefusedError('other_subject');
      const proven = await dropUnprovenCredentials(user);
      await persons.bind(claims, user.id);
      return proven;
    },

    async bind(claims, userId) {
      const id = idOf(claims);
      // The person to whom the identity belonged was deleted.
      await identities.delete({ id });
      try {
        await identities.insert({ id, accountId: userId, issuer, createdAt: Date.now() });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    },

    async createAccount(email) {
      const account = await accounts.findOrCreate({ email, plan: 'free' });
      if ((await members.list(account.id)).length > 0) throw new RefusedError('no_account');
      const user = await users.enrol(account.id, { role: 'owner', passwordHash: undefined, epoch: 0 });
      if (!user)
        throw new AppError('CONFLICT', 'this email address was registered at the same time; try again');
      return { account, user };
    },
  };
  return persons;
}
