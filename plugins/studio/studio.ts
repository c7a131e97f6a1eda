import {
  AppError,
  notFound,
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
import type { Identity, Passkey, User } from './collections.ts';
import type { Enrolment } from './links/enrolment.ts';
import type { Links } from './links/links.ts';
import type { Members } from './members/members.ts';
import type { MemberRole } from './members/roles.ts';
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
  enrolment: Enrolment;
  identities: Collection<Identity>;
  members: Members;
  /** Deletes a person with their passkeys and sessions. */
  removePerson: (userId: string) => Promise<void>;
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

/** Describes a session. The description is the response to every sign-in. */
export async function describeSession(studio: Studio, signedIn: SignedIn, request: Request) {
  const { facts, origins, passkeyRecords, usage } = studio;
  return presentSignedIn(signedIn, {
    origin: origins.of(request),
    facts,
    usage: await usage.read(signedIn.account),
    passkeys: await passkeyRecords.count({ accountId: signedIn.user.id }),
    accounts: await accountsOf(studio, signedIn.user),
  });
}

/** An account in which a person may work, and their role in it. */
export interface OwnAccount {
  account: Account;
  role: MemberRole;
}

/** Returns the accounts in which a person may work. */
export async function accountsOf(
  { administration, members }: Pick<Studio, 'administration' | 'members'>,
  user: User,
): Promise<OwnAccount[]> {
  const own = await members.accountsOf(user.id);
  const found = await Promise.all(
    own.map(async ({ accountId, role }) => ({ account: await administration.accounts.get(accountId), role })),
  );
  return found.filter((each): each is OwnAccount => each.account !== null);
}

/**
 * Returns the account in which a person works after a sign-in: the last one, if the person is still a member.
 * @throws {AppError} FORBIDDEN for a person who is not a member of an account
 */
export async function accountAtSignIn(
  studio: Pick<Studio, 'administration' | 'members'>,
  user: User,
): Promise<Account> {
  const own = (await accountsOf(studio, user)).map(({ account }) => account);
  const active = own.filter(({ suspendedAt }) => suspendedAt === null);
  const account = active.find(({ id }) => id === user.lastAccountId) ?? active[0] ?? own[0];
  if (!account) throw new AppError('FORBIDDEN', 'you are not a member of an account; ask for an invitation');
  return account;
}

/**
 * Continues the session of a request in another account of the person.
 * @throws {AppError} NOT_FOUND when the person is not a member; FORBIDDEN when the account is suspended
 */
export async function enterAccount(studio: Studio, accountId: string, request: Request) {
  const { administration, members, scheme, sessions, users } = studio;
  const signedIn = await scheme.find(request);
  const account = await administration.accounts.get(accountId);
  if (!signedIn || !account || !(await members.roleOf(signedIn.user.id, accountId)))
    throw notFound('account');
  administration.requireActive(account);
  await sessions.enter(signedIn.session.id, accountId);
  await users.remember(signedIn.user.id, accountId);
  const entered = await scheme.find(request);
  if (!entered) throw notFound('account');
  return describeSession(studio, entered, request);
}

/**
 * Signs a browser in with a new session, ends the session that it had, and sets the cookies of the session
 * and the device. `confirmedAt` is when the person confirmed their identity, if that was not now.
 * @throws {AppError} FORBIDDEN for a suspended account
 */
export async function signIn(
  studio: Studio,
  { account, user, confirmedAt }: { account: Account; user: User; confirmedAt?: number | undefined },
  { request, address, headers }: SigningIn,
) {
  const { administration, devices, sessions } = studio;
  administration.requireActive(account);
  const earlier = readToken(request, studio);
  if (earlier !== undefined) await sessions.endByToken(earlier);
  const { token } = await sessions.start(user, account.id, {
    address,
    userAgent: request.headers.get('user-agent'),
    confirmedAt,
  });
  headers.set('Set-Cookie', sessionCookie(token, request, studio));
  headers.append('Set-Cookie', deviceCookie(devices.issue(user), request, studio));
  headers.set('Cache-Control', 'no-store');
  const signedIn = await sessions.find(token);
  if (!signedIn) throw new AppError('CONFLICT', 'the sign-in was changed at the same time; try again');
  return describeSession(studio, signedIn, request);
}
