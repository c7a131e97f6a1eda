import { AppError } from '../../../src/plugin.ts';
import { presentService } from '../present.ts';
import { MAX_BODY_BYTES, PasswordBody, SignInBody } from '../schemas.ts';
import { expiredCookie, readDevice, readToken, sessionCookie } from '../sessions/cookie.ts';
import { actorOf, type SignedIn } from '../sessions/sessions.ts';
import { accountAtSignIn, describeSession, signIn, type Studio } from '../studio.ts';
import { networkOf } from './throttle.ts';
import { requirePerson } from './confirmation.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

/** Mounts the routes of the session, of sign-in with a password, and of the password. */
export function mountSignInRoutes(studio: Studio): void {
  const { auditLog, devices, facts, log, origins, passwords, scheme, sessions, throttle, users } = studio;

  /**
   * Records a failed sign-in without waiting for it, so that the duration of the response does not tell
   * whether the address has an account. Strangers must not use up the reserve of the disk.
   */
  function recordFailure(person: Pick<SignedIn, 'user' | 'email'>, address: string): void {
    const actor = actorOf(person);
    accountAtSignIn(studio, person.user)
      .then(({ id: account }) => {
        const failure = { account, actor, action: 'session.failed', ip: address } as const;
        return auditLog.during({ ...failure, usesReserve: false }, () => Promise.resolve());
      })
      .catch((error: unknown) => log.warn({ err: error }, 'a failed sign-in was not recorded'));
  }

  studio.publicRoutes.get(
    '/studio/api/session',
    {
      scope: 'public',
      ...hidden,
      confirmation: { unneeded: 'tells nothing that outlasts the session' },
      summary: 'Read the session of the browser',
    },
    async ({ request, headers }) => {
      headers.set('Cache-Control', 'no-store');
      const token = readToken(request, studio);
      const signedIn = await scheme.find(request);
      if (!signedIn || token === undefined || signedIn.account.suspendedAt)
        return {
          signed_in: false,
          service: presentService(facts, origins.of(request)),
          ...(token !== undefined && { ended: signedIn ? 'suspended' : 'session' }),
        };
      headers.set('Set-Cookie', sessionCookie(token, request, studio));
      return describeSession(studio, signedIn, request);
    },
  );

  studio.publicRoutes.post(
    '/studio/api/sign-in',
    {
      scope: 'public',
      audit: 'session.signed_in',
      ...hidden,
      confirmation: { unneeded: 'asks for the password' },
      summary: 'Sign in with a password',
      body: SignInBody,
    },
    async ({ request, audit, address, headers, body: { email, password } }) => {
      origins.require(request);
      const user = await users.findByEmail(email);
      const network = networkOf(address);
      const known = user ? await sessions.list(user) : [];
      const isKnown = known.some((session) => networkOf(session.address) === network);
      const deviceId = user ? devices.identify(readDevice(request, studio), user) : undefined;
      const attempt = await throttle.begin({ email, address, deviceId, isKnown });
      const matches = await passwords.verify(password, user?.passwordHash);
      if (user && !matches) recordFailure({ user, email }, address);
      if (!user || !matches) throw new AppError('UNAUTHORIZED', 'email or password is wrong');
      await attempt.succeed();
      const account = await accountAtSignIn(studio, user);
      await audit.describe({ account: account.id, actor: actorOf({ user, email }) });
      return signIn(studio, { account, user }, { request, address, headers });
    },
  );

  studio.publicRoutes.post(
    '/studio/api/sign-out',
    {
      scope: 'public',
      audit: 'session.signed_out',
      ...hidden,
      confirmation: { unneeded: 'only ends a session' },
      summary: 'Sign out',
      response: { status: 204 },
    },
    async ({ request, audit, headers }) => {
      origins.require(request);
      const token = readToken(request, studio);
      const signedIn = await scheme.find(request);
      if (signedIn) {
        const { account, session } = signedIn;
        await audit.describe({ account: account.id, actor: actorOf(signedIn), target: session.id });
      }
      if (token !== undefined) await sessions.endByToken(token);
      headers.set('Set-Cookie', expiredCookie(request, studio));
    },
  );

  studio.routes.put(
    '/studio/api/password',
    {
      scope: 'session:viewer',
      audit: 'password.changed',
      ...hidden,
      confirmation: { unneeded: 'asks for the current password, or for a confirmed session without one' },
      summary: 'Change the password',
      body: PasswordBody,
    },
    async ({ request, audit, address, headers, body: { current_password: current, password } }) => {
      const signedIn = scheme.signedIn(request);
      const { user, account } = signedIn;
      await requirePerson(studio, signedIn, { password: current, address, path: 'current_password' });
      const changed = await users.setPassword(user, await passwords.hash(password));
      if (!changed) throw new AppError('CONFLICT', 'the password was changed at the same time');
      audit.made();
      await sessions.endOthers(user.id);
      return signIn(studio, { user: changed, account }, { request, address, headers });
    },
  );
}
