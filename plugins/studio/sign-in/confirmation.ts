import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError, invalid } from '../../../src/plugin.ts';
import { ConfirmBody, MAX_PASSKEY_BODY_BYTES } from '../schemas.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import type { Studio } from '../studio.ts';

/**
 * Requires proof that a request comes from the person and not from a stolen session: the password or, from
 * users without a password, a session that was confirmed within the last five minutes.
 * @throws {AppError} VALIDATION_ERROR when the password is missing; FORBIDDEN when it is wrong, or the
 * session must be confirmed; RATE_LIMITED after too many wrong passwords; UNAVAILABLE when too many passwords
 * are being verified
 */
export async function requirePerson(
  studio: Pick<Studio, 'throttle' | 'passwords'>,
  { user, email, session }: SignedIn,
  { password, address, path }: { password: string | undefined; address: string; path: string },
): Promise<void> {
  if (user.passwordHash === null) return requireConfirmed(session);
  if (password === undefined) throw invalid(path, 'is required');
  const attempt = await studio.throttle.begin({ email, address, sessionId: session.id });
  if (!(await studio.passwords.verify(password, user.passwordHash)))
    throw new AppError('FORBIDDEN', 'the password is wrong', {
      details: [{ path, code: 'PASSWORD_WRONG', message: 'is wrong' }],
    });
  await attempt.succeed();
}

export function mountConfirmationRoute(studio: Studio): void {
  const { origins, passkeys, routes, scheme, sessions } = studio;
  // A download is a navigation, which cannot ask for the password. The page asks before it begins.
  routes.get(
    '/studio/api/session/confirmed',
    {
      scope: 'session:viewer',
      hidden: true,
      confirmation: 'required',
      summary: 'Check that the session needs no confirmation',
      response: { status: 204 },
    },
    () => undefined,
  );
  routes.post(
    '/studio/api/session/confirm',
    {
      scope: 'session:viewer',
      audit: 'session.confirmed',
      hidden: true,
      maxBodyBytes: MAX_PASSKEY_BODY_BYTES,
      confirmation: { unneeded: 'asks for the password or a passkey' },
      summary: 'Confirm the session with the password or a passkey',
      body: ConfirmBody,
      response: { status: 204 },
    },
    async ({ request, address, body: { password, passkey } }) => {
      const signedIn = scheme.signedIn(request);
      const { user, session } = signedIn;
      if ((password === undefined) === (passkey === undefined))
        throw invalid('password', 'either this or passkey is required');
      if (passkey) {
        const { userId } = await passkeys.signIn(origins.of(request), {
          ceremony: passkey.ceremony,
          response: passkey.response as AuthenticationResponseJSON,
        });
        if (userId !== user.id) throw new AppError('FORBIDDEN', 'this passkey belongs to another person');
      } else {
        if (user.passwordHash === null) throw invalid('password', 'does not exist; use a passkey');
        await requirePerson(studio, signedIn, { password, address, path: 'password' });
      }
      await sessions.confirm(session.id);
    },
  );
}
