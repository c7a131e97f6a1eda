import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { scan } from '../store/scan.ts';
import { DuplicateKeyError, StoreUnavailableError, type Collection, type Filter } from '../store/store.ts';
import type { Delivery } from './delivery.ts';
import {
  newEvent,
  storedEventId,
  type EventMessage,
  type ReportedDocument,
  type StoredEvent,
} from './event.ts';
import type { CompleteData, FanOut } from './fan-out.ts';
import { ReportGate } from './report-gate.ts';
import { noteEvent, type ListedDocument, type UnreportedEvents } from './unreported-events.ts';

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

interface StoreOptions {
  usesReserve?: boolean;
}

/** Stores the events of changed records. */
export interface Outbox<T extends ListedDocument> {
  /**
   * Stores the event of a record that was written with `unreportedAt`, without making the caller wait. If the
   * process dies, a sweep stores the event.
   */
  report(record: T): void;
  /**
   * Stores the event of such a record. Resolves when it is stored. Set `usesReserve` before a deletion, so
   * that a full disk does not stop it. The event is then sent when the disk has room.
   */
  store(record: T, options?: StoreOptions): Promise<void>;
}

/** Declares a collection whose records change repeatedly. It needs an index of `unreportedAt`. */
export interface ListOutboxSpec<T extends ListedDocument> {
  /** Unique in the deployment; the name of its sweep. */
  name: string;
  collection: Collection<T>;
}

/** Stores the events of records that change repeatedly. */
export interface ListOutbox<T extends ListedDocument> extends Outbox<T> {
  /**
   * Returns the fields that note the event of a change. The write that changes the record must set them, and
   * must apply only while `eventCount`, or another field that every such write changes, is as in `record`.
   * Then pass the changed record to `report`.
   */
  note(record: T, event: Omit<EventMessage, 'id'>): Required<UnreportedEvents>;
}

/** The events of a kind of record. */
interface Source<T extends ListedDocument> {
  name: string;
  collection: Collection<T>;
  accountOf(record: T): string;
  /** Returns the events of a record that are not stored yet. */
  eventsOf(record: T): Promise<readonly EventMessage[]>;
  onStored?: ((record: T) => Promise<void>) | undefined;
  /** Selects the record while it has no newer event. */
  unchanged(record: T): Filter<T>;
  /** The fields of a record without unreported events. */
  reported: Partial<Omit<T, 'id'>>;
  /** Called when the record has changed since, or does not exist. */
  onChanged?: (record: T, events: readonly EventMessage[]) => Promise<void>;
}

interface OutboxParts {
  events: Collection<StoredEvent>;
  /** The same collection, for events that a full disk must not refuse. */
  reservedEvents: Collection<StoredEvent>;
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
  readonly #gate = new ReportGate();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Opens the outbox of a collection, and registers its sweep. */
  open<T extends ReportedDocument>(spec: OutboxSpec<T>): Outbox<T> {
    const { name, collection } = spec;
    if (spec.complete) this.#parts.fanOut.completeWith(name, spec.complete);
    return this.#open({
      name,
      collection,
      accountOf: ({ accountId }) => accountId,
      eventsOf: async (record) => [await spec.toEvent(record)],
      onStored: spec.onStored?.bind(spec),
      unchanged: ({ id, unreportedAt }) => ({ id, unreportedAt }) as Filter<T>,
      reported: { unreportedAt: null } as Partial<Omit<T, 'id'>>,
      onChanged: async ({ id, accountId }, events) => {
        // If the record was deleted in the meantime, its event was, too, or is deleted here.
        if ((await collection.get(id))?.accountId !== accountId) await this.#delete(events);
      },
    });
  }

  /** Opens the outbox of a collection whose records change repeatedly, and registers its sweep. */
  openList<T extends ListedDocument>({ name, collection }: ListOutboxSpec<T>): ListOutbox<T> {
    const outbox = this.#open({
      name,
      collection,
      accountOf: ({ unreported }) => unreported?.[0]?.accountId ?? '',
      eventsOf: async ({ unreported }) => unreported ?? [],
      unchanged: ({ id, eventCount = null }) => ({ id, eventCount }) as Filter<T>,
      // A write that has read the list before adds these events to it again, and reports them again.
      reported: { unreported: null, unreportedAt: null } as Partial<Omit<T, 'id'>>,
    });
    return { ...outbox, note: noteEvent };
  }

  /** Resolves when the events of an account, or of all, that this process has begun to store are stored. */
  async settled(accountId?: string): Promise<void> {
    this.#gate.open();
    const awaited = [...this.#running].filter(([, owner]) => accountId === undefined || owner === accountId);
    await Promise.all(awaited.map(([running]) => running));
  }

  #open<T extends ListedDocument>(source: Source<T>): Outbox<T> {
    this.#parts.jobs.sweep(`events of ${source.name}`, (since) => this.#sweep(source, since));
    return {
      store: (record, options) => this.#store(source, record, options),
      report: (record) => {
        if (typeof record.unreportedAt !== 'number') return;
        const running = this.#gate
          .pass()
          .then(() => this.#tryToStore(source, record))
          .finally(() => this.#running.delete(running));
        this.#running.set(running, source.accountOf(record));
      },
    };
  }

  async #sweep<T extends ListedDocument>(source: Source<T>, since: number): Promise<void> {
    const to = since === 0 ? Date.now() : Date.now() - GRACE_MS;
    const unreported = { where: {}, by: 'unreportedAt', from: 0, to } as const;
    for await (const page of scan<T>(source.collection, unreported))
      for (const record of page) await this.#tryToStore(source, record);
  }

  /** Stores the events of a record; after a failure, the next sweep does. */
  async #tryToStore<T extends ListedDocument>(source: Source<T>, record: T): Promise<void> {
    await this.#store(source, record).catch((error: unknown) =>
      this.#parts.log.error({ err: error, record: record.id }, 'an event will be stored later'),
    );
  }

  /**
   * Stores each event of a record once, with its deliveries to endpoints, and then marks the record as
   * reported. Until then, a crash repeats all of it.
   */
  async #store<T extends ListedDocument>(
    source: Source<T>,
    record: T,
    { usesReserve = false }: StoreOptions = {},
  ): Promise<void> {
    if (typeof record.unreportedAt !== 'number') return;
    const { reservedEvents, fanOut, enqueue, checkType } = this.#parts;
    const events = usesReserve ? reservedEvents : this.#parts.events;
    const messages = await source.eventsOf(record);
    const deliveries: Delivery[] = [];
    for (const message of messages) {
      checkType(message);
      await events.insert(newEvent(message)).catch((error: unknown) => {
        if (!(error instanceof DuplicateKeyError)) throw error;
      });
      deliveries.push(...(await fanOut.store(message, source.name, { usesReserve })));
    }
    await source.onStored?.(record);
    for (const delivery of deliveries)
      await enqueue(delivery).catch((error: unknown) => {
        // The sweep of deliveries stores the job when the disk has room.
        if (!usesReserve || !(error instanceof StoreUnavailableError)) throw error;
      });
    if (await source.collection.update(source.unchanged(record), source.reported)) return;
    await source.onChanged?.(record, messages);
  }

  async #delete(messages: readonly EventMessage[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await this.#parts.events.delete({ id: { in: ids.map(storedEventId) } });
    await this.#parts.fanOut.delete(ids);
  }
}
