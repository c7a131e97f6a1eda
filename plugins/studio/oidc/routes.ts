import { AppError, messageOf, type Account } from '../../../src/plugin.ts';
import type { User } from '../collections.ts';
import { isInvitation } from '../links/links.ts';
import { OidcStartQuery } from '../schemas.ts';
import { readSignIn, signInCookie } from '../sessions/cookie.ts';
import { accountAtSignIn, signIn, type Studio } from '../studio.ts';
import { ATTEMPT_MS, type Attempts, type StoredAttempt } from './attempts.ts';
import { highestRole, RefusedError, verifiedEmail, type Persons } from './persons.ts';
import { RejectedError, type Claims, type IdentityProvider } from './provider.ts';
import type { OidcSettings } from './settings.ts';

const CALLBACK = '/studio/api/oidc/callback';

type AuditAction = `${string}.${string}`;

/** The parts of the sign-in at an identity provider. */
export interface Oidc {
  settings: OidcSettings;
  provider: IdentityProvider;
  attempts: Attempts;
  persons: Persons;
}

/**
 * Mounts the routes of the sign-in at an identity provider. The browser navigates to both, so a failure leads
 * to the sign-in page, which explains it.
 */
export function mountOidcRoutes(studio: Studio, { settings, provider, attempts, persons }: Oidc): void {
  const { administration, enrolment, links, log, members, origins, publicRoutes, scheme, users } = studio;
  const baseUrlOf = (request: Request) => administration.publicUrl ?? origins.of(request);

  /** Finds the person of verified claims, or makes them a member or the owner of a new account. */
  async function personOf(
    claims: Claims,
    { invitation: token }: StoredAttempt,
    record: (account: Account, user: Pick<User, 'id'>, ...actions: AuditAction[]) => Promise<void>,
  ): Promise<{ user: User; account: Account }> {
    const email = verifiedEmail(claims, settings);
    const known = await persons.find(claims, email);
    const opened = token === undefined ? null : await links.open(token);
    if (token !== undefined && opened && isInvitation(opened.link) && opened.email === email) {
      // The address was that of another person before.
      if (opened.user?.id !== known?.id) throw new RefusedError('invitation');
      return links.redeem({ ...opened, token }, undefined, async (redeemed) => {
        await record(redeemed.account, { id: redeemed.userId }, 'member.joined');
        if (!known) {
          const user = await enrolment.invited(redeemed, {});
          await persons.bind(claims, user.id);
          return user;
        }
        await members.add(redeemed.account.id, known.id, redeemed.link.memberRole ?? 'viewer');
        return known;
      });
    }
    if (known) {
      const account = await accountAtSignIn(studio, known);
      await record(account, known);
      return { user: known, account };
    }
    if (!settings.createAccounts) throw new RefusedError('no_account');
    const created = await persons.createAccount(email);
    await record(created.account, created.user, 'account.created');
    await persons.bind(claims, created.user.id);
    return created;
  }

  publicRoutes.get(
    '/studio/api/oidc/start',
    {
      scope: 'public',
      hidden: true,
      confirmation: { unneeded: 'leads to the identity provider' },
      summary: 'Begin to sign in at the identity provider',
      query: OidcStartQuery,
    },
    async ({ request, headers, query: { return_to: returnTo, invitation, confirm } }) => {
      headers.set('Cache-Control', 'no-store');
      // Another site must not sign a person in, or accept an invitation in their place.
      if (!origins.isOwn(request)) return redirect('/studio');
      try {
        const attempt = await provider.newAttempt(confirm);
        const expectedUserId = confirm ? (await scheme.find(request))?.user.id : undefined;
        const value = attempts.seal({ ...attempt, returnTo, invitation, expectedUserId });
        const url = await provider.signInUrl(attempt, baseUrlOf(request) + CALLBACK);
        headers.append('Set-Cookie', signInCookie({ value, maxAgeMs: ATTEMPT_MS }, request, studio));
        return redirect(url);
      } catch (error) {
        return redirect(failurePage(error));
      }
    },
  );

  publicRoutes.get(
    CALLBACK,
    {
      scope: 'public',
      audit: 'session.signed_in',
      hidden: true,
      confirmation: { unneeded: 'asks for a response of the identity provider' },
      summary: 'Sign in with the response of the identity provider',
    },
    async ({ request, audit, address, headers }) => {
      headers.set('Cache-Control', 'no-store');
      if (request.method === 'HEAD') return redirect('/studio');
      const attempt = await attempts.take(readSignIn(request, studio));
      headers.append('Set-Cookie', signInCookie({ value: '', maxAgeMs: 0 }, request, studio));
      try {
        if (!attempt) throw new RejectedError('the attempt is unknown, expired or used', { cause: null });
        // The address that the provider was given, not that of a proxy.
        const url = new URL(CALLBACK + new URL(request.url, 'http://localhost').search, baseUrlOf(request));
        const claims = await provider.redeem(attempt, url);
        const name = verifiedEmail(claims, settings);
        const { account, user } = await personOf(claims, attempt, async (entered, { id }, ...actions) => {
          if (entered.suspendedAt !== null) throw new RefusedError('suspended');
          if (attempt.expectedUserId !== undefined && attempt.expectedUserId !== id)
            throw new RefusedError('other_person');
          const entry = { account: entered.id, actor: { type: 'member', id, name } } as const;
          await audit.describe(...actions.map((action) => ({ ...entry, action, target: id })), entry);
        });
        await users.limitRole(user.id, highestRole(claims, settings));
        await signIn(
          studio,
          { account, user, confirmedAt: confirmedAt(claims) },
          { request, address, headers },
        );
        return redirect(attempt.returnTo);
      } catch (error) {
        await audit.describe();
        return redirect(failurePage(error));
      }
    },
  );

  /** Returns the path of the sign-in page that explains a failure. Unknown errors are thrown again. */
  function failurePage(error: unknown): string {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    log.info({ reason: messageOf(error) }, 'a sign-in at the identity provider failed');
    return `/studio?sign_in_error=${reason}`;
  }
}

/** Returns when the person signed in to the provider. An unknown time is long ago. */
function confirmedAt({ auth_time: seconds }: Claims): number {
  return typeof seconds === 'number' ? Math.min(Date.now(), seconds * 1000) : 0;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof RejectedError) {
    if (error.code === 'invalid_client') return 'refused';
    return error.code === 'access_denied' ? 'denied' : 'rejected';
  }
  if (!(error instanceof AppError)) return undefined;
  return {
    UNAVAILABLE: 'unavailable',
    NOT_FOUND: 'invitation',
    FORBIDDEN: 'no_account',
    CONFLICT: 'rejected',
  }[error.code as string];
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}
