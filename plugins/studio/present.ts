import type { Account, Administration } from '../../src/plugin.ts';
import type { UsageService } from '../usage/contract.ts';
import type { Passkey, Session } from './collections.ts';
import { isOperator, type MemberRole } from './members/roles.ts';
import { offersPasskeys } from './passkeys/passkeys.ts';
import type { SignedIn } from './sessions/sessions.ts';

/** The facts about the service that the application needs. */
export interface ServiceFacts {
  administration: Pick<Administration, 'version' | 'plugins'>;
  hasAi: boolean;
  mayProtect: boolean;
  hasTimestamps: boolean;
  hasEarlierBrowser: boolean;
  /** The name of the identity provider with which people may sign in. */
  identityProvider: string | null;
}

/** Describes the service to the application. */
export function presentService(
  {
    administration: { version, plugins },
    hasAi,
    mayProtect,
    hasTimestamps,
    hasEarlierBrowser,
    identityProvider,
  }: ServiceFacts,
  origin: string,
) {
  return {
    version,
    plugins,
    passkeys_available: offersPasskeys(origin),
    ai: hasAi,
    may_protect: mayProtect,
    has_timestamps: hasTimestamps,
    has_earlier_browser: hasEarlierBrowser,
    identity_provider: identityProvider,
  };
}

/** Describes the session of a browser: the person, the account in which they work, and their accounts. */
export function presentSignedIn(
  { session, user, email, account, role }: SignedIn,
  {
    origin,
    facts,
    usage,
    passkeys,
    accounts,
  }: {
    origin: string;
    facts: ServiceFacts;
    usage: Awaited<ReturnType<UsageService['read']>>;
    passkeys: number;
    accounts: readonly { account: Account; role: MemberRole }[];
  },
) {
  return {
    signed_in: true,
    person: { id: user.id, email, operator: isOperator(user) },
    account: {
      id: account.id,
      email: account.email,
      plan: account.plan,
      created_at: toIso(account.createdAt),
    },
    role,
    accounts: accounts.map((own) => ({ id: own.account.id, email: own.account.email, role: own.role })),
    has_password: user.passwordHash !== null,
    passkeys,
    session: { id: session.id, expires_at: toIso(session.expiresAt) },
    usage,
    service: presentService(facts, origin),
  };
}

export function presentSession(
  { id, address, userAgent, createdAt, lastUsedAt, expiresAt }: Session,
  currentId: string,
) {
  return {
    id,
    current: id === currentId,
    address,
    user_agent: userAgent,
    created_at: toIso(createdAt),
    last_used_at: toIso(lastUsedAt),
    expires_at: toIso(expiresAt),
  };
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, created_at: toIso(createdAt), last_used_at: toIso(lastUsedAt) };
}

/** Converts epoch milliseconds to ISO 8601. */
export function toIso<Time extends number | null>(time: Time): Time extends number ? string : null {
  return (time === null ? null : new Date(time).toISOString()) as Time extends number ? string : null;
}
