import {
  presentUsage,
  type Administration,
  type ApiKey,
  KEY_RESTORE_MS,
  type Quota,
} from '../../src/plugin.ts';
import type { Passkey, Session } from './collections.ts';
import { offersPasskeys } from './passkeys/passkeys.ts';
import type { SignedIn } from './sessions/sessions.ts';

/** The facts about the service that the application needs. */
export interface ServiceFacts {
  administration: Pick<Administration, 'version' | 'plugins' | 'plans'>;
  hasAi: boolean;
  mayProtect: boolean;
  hasTimestamps: boolean;
}

/** Describes the service to the application. */
export function presentService(
  { administration: { version, plugins }, hasAi, mayProtect, hasTimestamps }: ServiceFacts,
  origin: string,
) {
  return {
    version,
    plugins,
    passkeys_available: offersPasskeys(origin),
    ai: hasAi,
    may_protect: mayProtect,
    has_timestamps: hasTimestamps,
  };
}

/** Describes the session of a browser, with its account and the usage of the account. */
export async function presentSignedIn(
  { session, user, account }: SignedIn,
  {
    origin,
    facts,
    quota,
    countPasskeys,
  }: {
    origin: string;
    facts: ServiceFacts;
    quota: Quota;
    countPasskeys: (accountId: string) => Promise<number>;
  },
) {
  const { id, email, plan, createdAt } = account;
  const [usage, passkeys] = await Promise.all([quota.report(account), countPasskeys(id)]);
  return {
    signed_in: true,
    account: { id, email, plan, created_at: toIso(createdAt) },
    role: user.role,
    has_password: user.passwordHash !== null,
    passkeys,
    session: { id: session.id, expires_at: toIso(session.expiresAt) },
    usage: presentUsage(account, usage, facts.administration.plans),
    service: presentService(facts, origin),
  };
}

/** Describes a session in a list. */
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

/** Describes a passkey. */
export function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, created_at: toIso(createdAt), last_used_at: toIso(lastUsedAt) };
}

/** Describes an API key without the key itself. */
export function presentKey({ id, name, hint, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  const restorableUntil = revokedAt === null ? null : revokedAt + KEY_RESTORE_MS;
  return {
    id,
    name,
    hint,
    created_at: toIso(createdAt),
    // Absent in keys of earlier releases.
    last_used_at: toIso(lastUsedAt ?? null),
    revoked_at: toIso(revokedAt),
    restorable_until:
      restorableUntil !== null && restorableUntil > Date.now() ? toIso(restorableUntil) : null,
  };
}

/** Converts epoch milliseconds to ISO 8601. */
export function toIso<Time extends number | null>(time: Time): Time extends number ? string : null {
  return (time === null ? null : new Date(time).toISOString()) as Time extends number ? string : null;
}
