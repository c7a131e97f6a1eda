import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { scan } from '../store/scan.ts';
import { DuplicateKeyError, type Collection, type Filter } from '../store/store.ts';
import type { Delivery } from './delivery.ts';
import {
  newEvent,
  storedEventId,
  type EventMessage,
  type ReportedDocument,
  type StoredEvent,
} from './event.ts';
import type { CompleteData, FanOut } from './fan-out.ts';

/** Declares the events of a collection. It needs an index of `unreportedAt`. */
export interface OutboxSpec<T extends ReportedDocument> {
  /** Unique in the deployment; the name of its sweep. */
  name: string;
  collection: Collection<T>;
  /** Returns the event of the record's last change. Its id must be the same each time. */
  toEvent(record: T): EventMessage | Promise<EventMessage>;
  /** Called when the event is stored, before it is sent; again after a crash. */
  onStored?(record: T): Promise<void>;
  /**
   * Adds to the data of an event what is not stored with it, such as a link, before it is sent to an
   * endpoint. Called for each attempt.
   */
  complete?: CompleteData;
}

/** Stores the events of changed records. */
export interface Outbox<T extends ReportedDocument> {
  /**
   * Stores the event of a record that was written with `unreportedAt`, without making the caller wait. If the
   * process dies, a sweep stores the event.
   */
  report(record: T): void;
  /** Stores the event of such a record. Resolves when it is stored. */
  store(record: T): Promise<void>;
}

interface OutboxParts {
  events: Collection<StoredEvent>;
  fanOut: FanOut;
  /** Stores the job of a delivery unless it has one. */
  enqueue: (delivery: Delivery) => Promise<void>;
  jobs: Pick<Jobs, 'sweep'>;
  /** Rejects types that no plugin declares. */
  checkType: (message: EventMessage) => void;
  log: Log;
}

/** Sweeps after the first leave younger changes to the processes that made them. */
const GRACE_MS = 5000;

export class Outboxes {
  readonly #parts: OutboxParts;
  /** The events that are being stored, each with its account. */
  readonly #running = new Map<Promise<void>, string>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Opens the outbox of a collection, and registers its sweep. */
  open<T extends ReportedDocument>(spec: OutboxSpec<T>): Outbox<T> {
    this.#parts.jobs.sweep(`events of ${spec.name}`, (since) => this.#sweep(spec, since));
    if (spec.complete) this.#parts.fanOut.completeWith(spec.name, spec.complete);
    return {
      store: (record) => this.#store(spec, record),
      report: (record) => {
        const running = this.#tryToStore(spec, record).finally(() => this.#running.delete(running));
        this.#running.set(running, record.accountId);
      },
    };
  }

  /** Resolves when the events of an account, or of all, that this process has begun to store are stored. */
  async settled(accountId?: string): Promise<void> {
    const awaited = [...this.#running].filter(([, owner]) => accountId === undefined || owner === accountId);
    await Promise.all(awaited.map(([running]) => running));
  }

  async #sweep<T extends ReportedDocument>(spec: OutboxSpec<T>, since: number): Promise<void> {
    const to = since === 0 ? Date.now() : Date.now() - GRACE_MS;
    const unreported = { where: {}, by: 'unreportedAt', from: 0, to } as const;
    for await (const page of scan<T>(spec.collection, unreported))
      for (const record of page) await this.#tryToStore(spec, record);
  }

  /** Stores the event of a change; after a failure, the next sweep does. */
  async #tryToStore<T extends ReportedDocument>(spec: OutboxSpec<T>, record: T): Promise<void> {
    await this.#store(spec, record).catch((error: unknown) =>
      this.#parts.log.error({ err: error, record: record.id }, 'an event will be stored later'),
    );
  }

  /**
   * Stores the event of a change once, with its deliveries to endpoints, and then marks the change as
   * reported. Until then, a crash repeats all of it.
   */
  async #store<T extends ReportedDocument>(spec: OutboxSpec<T>, record: T): Promise<void> {
    const { collection } = spec;
    const { id, accountId, unreportedAt } = record;
    if (typeof unreportedAt !== 'number') return;
    const { events, fanOut, enqueue, checkType } = this.#parts;
    const message = await spec.toEvent(record);
    checkType(message);
    await events.insert(newEvent(message)).catch((error: unknown) => {
      if (!(error instanceof DuplicateKeyError)) throw error;
    });
    const deliveries = await fanOut.store(message, spec.name);
    await spec.onStored?.(record);
    for (const delivery of deliveries) await enqueue(delivery);
    const change = { id, unreportedAt } as Filter<T>;
    const reported = { unreportedAt: null } as Partial<Omit<T, 'id'>>;
    if (await collection.update(change, reported)) return;
    // If the record was deleted in the meantime, its event was, too, or is deleted here.
    if ((await collection.get(id))?.accountId === accountId) return;
    await events.delete({ id: storedEventId(message.id) });
    await fanOut.delete([message.id]);
  }
}
