import type { Collection, CollectionSpec, Document } from '../store/store.ts';

/**
 * What was done, as a noun and a verb: `key.created`. `docs/audit.md` lists all actions of the built-in
 * plugins.
 */
export type AuditAction = `${string}.${string}`;

/** The kinds of actors. */
export const ACTOR_TYPES = ['key', 'member', 'operator', 'command'] as const;

/**
 * Who made a change: an API key, the person of a session, an operator of the service who works on the account
 * of somebody else, or a command on the machine of the service.
 */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** The id of the key or account; `null` for a command. */
  id: string | null;
  /** The name at the time of the change. For operators, no name of the person. */
  name: string;
}

/**
 * Whether a change was made. An entry is `pending` while its request runs, and not shown. If the process dies
 * or the request fails in the middle, the outcome becomes `unknown`.
 */
type Outcome = 'pending' | 'completed' | 'unknown';

/** An entry of the audit log in the database. */
export interface StoredEntry extends Document {
  accountId: string;
  actorType: Actor['type'];
  actorId: string | null;
  actorName: string;
  action: AuditAction;
  /** The part of the action before the full stop, for lists of `key.*`. */
  subject: string;
  target: string | null;
  ip: string | null;
  requestId: string | null;
  outcome: Outcome;
  /** When the change was completed; for other outcomes, when it began. Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/** An entry of the audit log in the form of an API response. */
export interface AuditEntry {
  id: string;
  at: string;
  actor: Actor;
  action: string;
  /** The id of the changed thing, or its name if it has no id. */
  target: string | null;
  ip: string | null;
  request_id: string | null;
  outcome: Outcome;
}

const NEWEST_FIRST = { createdAt: 'desc', id: 'desc' } as const;

const spec: CollectionSpec<StoredEntry> = {
  name: 'audit_entries',
  indexes: [
    { fields: { accountId: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', action: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', subject: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorId: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorType: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorId: 'asc', action: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorId: 'asc', subject: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorType: 'asc', action: 'asc', ...NEWEST_FIRST } },
    { fields: { accountId: 'asc', actorType: 'asc', subject: 'asc', ...NEWEST_FIRST } },
    { fields: { outcome: 'asc', createdAt: 'asc' } },
  ],
  expiry: 'expiresAt',
};

/** The collection of the entries of changes that a full disk refuses. */
export const entriesSpec = spec;

/** The same collection, for the entries of deletions and sign-ins, which a full disk must not stop. */
export const reservedEntriesSpec: CollectionSpec<StoredEntry> = { ...spec, usesReserve: true };

/** The two ways to insert entries. */
export interface Entries {
  ordinary: Collection<StoredEntry>;
  reserved: Collection<StoredEntry>;
}

/** Converts an entry to the form of an API response. */
export function presentEntry(entry: StoredEntry): AuditEntry {
  const { id, actorType, actorId, actorName, action, target, ip, requestId, outcome, createdAt } = entry;
  return {
    id,
    at: new Date(createdAt).toISOString(),
    actor: { type: actorType, id: actorId, name: actorName },
    action,
    target,
    ip,
    request_id: requestId,
    outcome,
  };
}
