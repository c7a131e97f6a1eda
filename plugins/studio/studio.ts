import {
  type Account,
  type AuditLog,
  type Administration,
  type Collection,
  type DeliveryLog,
  type Log,
  type Metrics,
  type PublicRoutes,
  type Quota,
  type Routes,
} from '../../src/plugin.ts';
import type { UsageService } from '../usage/contract.ts';
import type { Passkey, User } from './collections.ts';
import type { Links } from './links/links.ts';
import type { Passkeys } from './passkeys/passkeys.ts';
import { presentSignedIn, type ServiceFacts } from './present.ts';
import { deviceCookie, readToken, sessionCookie } from './sessions/cookie.ts';
import type { Origins } from './sessions/origin.ts';
import type { SessionScheme } from './sessions/scheme.ts';
import type { Sessions, SignedIn } from './sessions/sessions.ts';
import type { Devices } from './sign-in/devices.ts';
import type { Passwords } from './sign-in/passwords.ts';
import type { Throttle } from './sign-in/throttle.ts';
import type { Users } from './sign-in/users.ts';

/** The parts of the studio that its routes use. */
export interface Studio {
  administration: Administration;
  auditLog: AuditLog;
  deliveries: DeliveryLog;
  facts: ServiceFacts;
  log: Log;
  quota: Quota;
  usage: UsageService;
  metrics: Metrics;
  users: Users;
  passwords: Passwords;
  throttle: Throttle;
  devices: Devices;
  sessions: Sessions;
  scheme: SessionScheme;
  origins: Origins;
  links: Links;
  passkeys: Passkeys;
  passkeyRecords: Collection<Passkey>;
  routes: Routes;
  publicRoutes: PublicRoutes;
}

/** The parts of a request that a sign-in uses, and the headers of its response. */
export interface SigningIn {
  request: Request;
  address: string;
  headers: Headers;
}

/** Names the person of an account in the audit log. */
export function memberOf({ id, email }: Account) {
  return { type: 'member', id, name: email } as const;
}

/** Describes a session. The description is the response to every sign-in. */
export function describeSession(studio: Studio, signedIn: SignedIn, request: Request) {
  return presentSignedIn(signedIn, {
    origin: studio.origins.of(request),
    facts: studio.facts,
    usage: studio.usage,
    countPasskeys: (accountId) => studio.passkeyRecords.count({ accountId }),
  });
}

/**
 * Signs a browser in with a new session, ends the session that it had, and sets the cookies of the session
 * and the device.
 * @throws {AppError} FORBIDDEN for a suspended account
 */
export async function signIn(
  studio: Studio,
  { account, user }: { account: Account; user: User },
  { request, address, headers }: SigningIn,
) {
  const { administration, devices, sessions } = studio;
  administration.requireActive(account);
  const earlier = readToken(request, studio);
  if (earlier !== undefined) await sessions.endByToken(earlier);
  const { token, session } = await sessions.start(user, {
    address,
    userAgent: request.headers.get('user-agent'),
  });
  headers.set('Set-Cookie', sessionCookie(token, request, studio));
  headers.append('Set-Cookie', deviceCookie(devices.issue(user), request, studio));
  headers.set('Cache-Control', 'no-store');
  return describeSession(studio, { session, user, account }, request);
}
