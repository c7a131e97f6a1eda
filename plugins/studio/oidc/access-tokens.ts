import { AppError } from '../../../src/plugin.ts';
import { lowerRole, requirePermission, type MemberRole } from '../members/roles.ts';
import { actorOf } from '../sessions/sessions.ts';
import { accountsOf, type OwnAccount, type Studio } from '../studio.ts';
import type { User } from '../collections.ts';
import type { AccessTokens } from '../contract.ts';
import type { Persons } from './persons.ts';
import { RejectedError, type IdentityProvider } from './provider.ts';

/** A verified person, in an account. */
interface Caller extends OwnAccount {
  user: User;
  email: string;
}

/** Creates the access tokens of the provider with which persons sign in to the studio. */
export function createAccessTokens({
  administration,
  issuer,
  log,
  members,
  persons,
  provider,
  users,
}: Pick<Studio, 'administration' | 'log' | 'members' | 'users'> & {
  issuer: string;
  persons: Persons;
  provider: IdentityProvider;
}): AccessTokens {
  async function callerOf(sub: string, accountId: string | undefined): Promise<Caller> {
    const user = await persons.findBound({ sub });
    if (!user)
      throw new AppError(
        'FORBIDDEN',
        'sign in to the studio with the identity provider once, then try again',
      );
    const own = await accountsOf({ administration, members }, user);
    const { account, role } = chooseAccount(own, accountId);
    const limited: MemberRole = lowerRole(role, user.highestRole ?? role);
    return { user, email: await users.emailOf(user), account, role: limited };
  }

  return {
    issuer,
    async identify(token, { resource, accountId }) {
      const { sub } = await provider.verifyAccessToken(token, resource).catch((error: unknown) => {
        if (!(error instanceof RejectedError)) throw error;
        log.info({ reason: error.message }, 'an access token was refused');
        throw new AppError('UNAUTHORIZED', 'the access token is not valid for this service, or has expired');
      });
      let caller = await callerOf(sub, accountId);
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
            caller = await callerOf(sub, id);
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
