import type { StoredAuditLog } from '../audit/audit-log.ts';
import type { Actor } from '../audit/entry.ts';
import type { PendingEntries } from '../audit/pending-entries.ts';
import type { ErrorCatalogue } from '../errors.ts';
import { isSessionScope, type Identity } from './authenticate.ts';
import { toAppError } from './present-error.ts';
import type { RouteDefinition } from './routes.ts';

/** The part of a request that its audit entry describes. */
interface AuditedCall {
  identity: Identity | undefined;
  /** Elysia sets none for a path without parameters. */
  params: Readonly<Record<string, string>> | undefined;
  address: string;
}

/**
 * Runs the handler of a route and stores the audit entry of its change. The entry is stored as pending before
 * the handler runs; if that fails, so does the request. It is deleted if the request is refused (4xx). If
 * the service fails (5xx), its outcome is unknown.
 */
export async function runAudited(
  { method, spec }: Pick<RouteDefinition, 'method' | 'spec'>,
  { identity, params, address }: AuditedCall,
  { audit, errors }: { audit: Pick<StoredAuditLog, 'prepare'>; errors: Pick<ErrorCatalogue, 'get'> },
  handle: (entries: PendingEntries) => Promise<unknown>,
): Promise<unknown> {
  const entries = audit.prepare({
    account: identity?.account.id,
    actor: identity && actorOf(identity),
    action: spec.audit ?? undefined,
    target: Object.values(params ?? {})[0],
    ip: address,
    // A person signs in and deletes to free a full disk.
    usesReserve:
      spec.freesSpace ?? (method === 'delete' || spec.scope === 'public' || isSessionScope(spec.scope)),
  });
  try {
    await entries.begin();
    const result = await handle(entries);
    await entries.complete(targetOf(result));
    return result;
  } catch (error) {
    await entries.fail({ changedNothing: errors.get(toAppError(error).code).status < 500 });
    throw error;
  }
}

/** Returns who sent a request. The schemes of other plugins name only the account. */
function actorOf({ account, session, keyId, keyName = '' }: Identity): Actor {
  if (session) return session.member;
  return keyId === undefined
    ? { type: 'member', id: account.id, name: account.email }
    : { type: 'key', id: keyId, name: keyName };
}

/** Returns the id or name of what a handler returns. */
function targetOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || result instanceof Response) return undefined;
  const { id, name } = result as { id?: unknown; name?: unknown };
  return [id, name].find((text) => typeof text === 'string');
}
