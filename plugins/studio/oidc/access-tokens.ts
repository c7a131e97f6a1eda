import { AppError } from '../../../src/plugin.ts';
import { lowerRole, requirePermission, type MemberRole } from '../members/roles.ts';
import { actorOf } from '../sessions/sessions.ts';
import { accountsOf, type OwnAccount, type Studio } from '../studio.ts';
import type { User } from '../collections.ts';
import type { AccessTokens } from '../contract.ts';
import { highestRole, RefusedError, verifiedEmail, type Persons } from './persons.ts';
import { RejectedError, type Claims, type IdentityProvider } from './provider.ts';
import type { OidcSettings } from './settings.ts';

/** A verified person, in an account. */
interface Caller extends OwnAccount {
  user: User;
  email: string;
}

/** Accepts the access tokens of the provider with which persons sign in to the studio. */
export function createAccessTokens({
  administration,
  settings,
  log,
  members,
  persons,
  provider,
  users,
}: Pick<Studio, 'administration' | 'log' | 'members' | 'users'> & {
  settings: OidcSettings;
  persons: Persons;
  provider: IdentityProvider;
}): AccessTokens {
  async function callerOf(claims: Claims, accountId: string | undefined): Promise<Caller> {
    const user = await persons.findBound(claims);
    if (!user)
      throw new AppError(
        'FORBIDDEN',
        'sign in to the studio with the identity provider once, then try again',
      );
    const own = await accountsOf({ administration, members }, user);
    const { account, role } = chooseAccount(own, accountId);
    const email = await users.emailOf(user);
    requireDomain(claims, email);
    const highest = claimedRole(claims) ?? user.highestRole ?? role;
    return { user, email, account, role: lowerRole(role, highest) };
  }

  /** The rules of a sign-in also apply to tokens, because an operator may have changed them since. */
  function requireDomain(claims: Claims, email: string): void {
    const isInToken = typeof claims['email'] === 'string' && claims['email_verified'] === true;
    const address = isInToken ? claims : { sub: claims.sub, email, email_verified: true };
    try {
      verifiedEmail(address, settings);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw new AppError('FORBIDDEN', 'your email address may not sign in to this service');
    }
  }

  /** Returns the highest role that a token permits; `null` for a token without the claim. */
  function claimedRole(claims: Claims): MemberRole | null {
    const { roleClaim } = settings;
    return roleClaim === undefined || claims[roleClaim] === undefined ? null : highestRole(claims, settings);
  }

  return {
    issuer: settings.issuer,
    async identify(token, { resource, accountId }) {
      const claims = await provider.verifyAccessToken(token, resource).catch((error: unknown) => {
        if (!(error instanceof RejectedError)) throw error;
        log.info({ reason: error.message }, 'an access token was refused');
        throw new AppError('UNAUTHORIZED', 'the access token is not valid for this service, or has expired');
      });
      let caller = await callerOf(claims, accountId);
      const { id } = caller.account;
      return {
        account: caller.account,
        session: {
          member: actorOf(caller),
          requireScope: (scope, options) => requirePermission(caller, scope, options),
          requireConfirmed() {
            throw new AppError('FORBIDDEN', 'sign in to the studio; an access token is not enough for this');
          },
          async refresh() {
            caller = await callerOf(claims, id);
          },
        },
      };
    },
  };
}

/** @throws {AppError} FORBIDDEN */
function chooseAccount(own: readonly OwnAccount[], accountId: string | undefined): OwnAccount {
  if (accountId !== undefined) {
    const named = own.find(({ account }) => account.id === accountId);
    if (named) return named;
    throw new AppError('FORBIDDEN', 'you are not a member of the account that Platen-Account names');
  }
  const active = own.filter(({ account }) => account.suspendedAt === null);
  const [only] = active.length > 0 ? active : own;
  if (!only) throw new AppError('FORBIDDEN', 'you are not a member of an account; ask for an invitation');
  if (active.length > 1)
    throw new AppError(
      'FORBIDDEN',
      `you are a member of several accounts; choose one with the header Platen-Account: ${active.map(({ account }) => account.id).join(' or ')}`,
    );
  return only;
}
