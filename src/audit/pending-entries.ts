import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { workContext } from '../work-context.ts';
import type { Actor, AuditAction, Entries, StoredEntry } from './entry.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The most characters of a target, which may be a text of the caller until it is found. */
const MAX_TARGET_LENGTH = 255;

/** What an entry says about a change, where it differs from what the route says. */
export interface AuditChange {
  /** The account to which the change belongs, and whose log gets the entry. */
  account?: string;
  actor?: Actor;
  action?: AuditAction;
  target?: string | null;
}

/** What the caller of a change and its route say about it. */
export interface AuditSource {
  /** Absent for a request without an account, which names it before the change. */
  account?: string | undefined;
  actor?: Actor | undefined;
  /** Absent if only the handler knows the action. */
  action?: AuditAction | undefined;
  target?: string | null | undefined;
  /** The address of the caller; absent for a command. */
  ip?: string | undefined;
  /** Whether the entry is stored even while the disk is almost full, because the change is. */
  usesReserve: boolean;
}

/** What a handler can say about the change that it makes. */
export interface AuditedChange {
  /**
   * Says more about the change than the route can: one entry for each argument, whose absent fields are those
   * of the route. Without arguments, no change is made and no entry stored. Call this before the change,
   * because it stores the entries; a later call replaces them.
   */
  describe(...changes: readonly AuditChange[]): Promise<void>;
  /** Says that the change is made, so that the entry stays even if the request is refused afterwards. */
  made(): void;
  /** Says that the change may or may not be made, although the handler returns a response. */
  uncertain(): void;
}

/**
 * The entries of one request. They are stored as pending before the change, so that no change lacks an entry,
 * whenever the process dies.
 */
export class PendingEntries implements AuditedChange {
  readonly #entries: Entries;
  readonly #source: AuditSource;
  readonly #days: number;
  readonly #log: Log;
  #ids: string[] = [];
  #isDescribed = false;
  #isRefused = false;
  #isMade = false;
  #isUncertain = false;

  constructor(source: AuditSource, { entries, days, log }: { entries: Entries; days: number; log: Log }) {
    this.#entries = entries;
    this.#source = source;
    this.#days = days;
    this.#log = log;
  }

  /** Stores an entry with what the route says, if it names an action and the account is known. */
  async begin(): Promise<void> {
    if (this.#source.action !== undefined && this.#source.account !== undefined) await this.#store([{}]);
  }

  async describe(...changes: readonly AuditChange[]): Promise<void> {
    this.#isDescribed = true;
    await this.#store(changes);
  }

  made(): void {
    this.#isMade = true;
  }

  uncertain(): void {
    this.#isUncertain = true;
  }

  /**
   * Completes the entries after the change. `target` is what the change created, for an entry that the
   * handler has not described. Never rejects, because the change is made: if the entries cannot be changed,
   * their outcome becomes `unknown`.
   */
  async complete(target?: string): Promise<void> {
    if (this.#isUncertain) return this.fail({ changedNothing: false });
    const completed = {
      outcome: 'completed',
      createdAt: Date.now(),
      ...(target !== undefined && !this.#isDescribed && { target: shorten(target) }),
    } as const;
    await this.#attempt(() =>
      Promise.all(this.#ids.map((id) => this.#entries.ordinary.update({ id }, completed))),
    );
  }

  /**
   * Ends the entries of a failed request. They are deleted if nothing was changed, and otherwise their
   * outcome becomes `unknown`. Never rejects.
   */
  async fail({ changedNothing }: { changedNothing: boolean }): Promise<void> {
    if (this.#ids.length === 0) return;
    if (this.#isMade && !this.#isUncertain) return this.complete();
    const where = { id: { in: this.#ids }, outcome: 'pending' } as const;
    await this.#attempt(async () => {
      if (changedNothing || this.#isRefused) await this.#entries.ordinary.delete(where);
      else
        await Promise.all(
          this.#ids.map((id) =>
            this.#entries.ordinary.update({ id, outcome: 'pending' }, { outcome: 'unknown' }),
          ),
        );
    });
  }

  async #store(changes: readonly AuditChange[]): Promise<void> {
    const { ordinary, reserved } = this.#entries;
    this.#isRefused = false;
    const fields = changes.map((change) => this.#fieldsOf(change));
    const createdAt = Date.now();
    const expiresAt = createdAt + this.#days * DAY_MS;
    try {
      const surplus = this.#ids.splice(fields.length);
      if (surplus.length > 0) await ordinary.delete({ id: { in: surplus }, outcome: 'pending' });
      await Promise.all(this.#ids.map((id, n) => ordinary.update({ id }, fields[n] ?? {})));
      const added = fields.slice(this.#ids.length).map((entry): StoredEntry => ({
        id: newId('aud_'),
        ...entry,
        outcome: 'pending',
        createdAt,
        expiresAt,
      }));
      if (added.length === 0) return;
      this.#ids.push(...added.map(({ id }) => id));
      await (this.#source.usesReserve ? reserved : ordinary).insertMany(added);
    } catch (error) {
      this.#isRefused = true;
      throw error;
    }
  }

  #fieldsOf(change: AuditChange): Omit<StoredEntry, 'id' | 'outcome' | 'createdAt' | 'expiresAt'> {
    const { account, actor, action, target = null } = { ...this.#source, ...change };
    if (account === undefined || actor === undefined || action === undefined)
      throw new Error('an audit entry needs an account, an actor and an action');
    return {
      accountId: account,
      actorType: actor.type,
      actorId: actor.id,
      actorName: actor.name,
      action,
      subject: action.slice(0, action.indexOf('.')),
      target: target === null ? null : shorten(target),
      // The address of an operator is not for the account to see.
      ip: actor.type === 'operator' ? null : (this.#source.ip ?? null),
      requestId: workContext.getStore()?.log['request_id'] ?? null,
    };
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.#log.warn({ err: error, entries: this.#ids }, 'audit entries stay pending, and become unknown');
    });
  }
}

function shorten(target: string): string {
  return target.slice(0, MAX_TARGET_LENGTH);
}
