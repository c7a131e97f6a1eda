import { DuplicateKeyError, type Collection, type JsonValue } from '../store/store.ts';
import { changeData, newDelivery, type Delivery } from './delivery.ts';
import { subscribes, type EndpointRecord } from './endpoint.ts';
import { storedEventId, type EventMessage, type StoredEvent } from './event.ts';
import { workContext } from '../work-context.ts';

/** Adds to the data of an event what is not stored with it, such as a link. */
export type CompleteData = (data: JsonValue) => Promise<JsonValue>;

interface FanOutParts {
  events: Collection<StoredEvent>;
  endpoints: Collection<EndpointRecord>;
  deliveries: Collection<Delivery>;
  /** The same collection, for deliveries that a full disk must not refuse. */
  reservedDeliveries: Collection<Delivery>;
}

/** Stores the deliveries of events to the endpoints of their accounts. */
export class FanOut {
  readonly #parts: FanOutParts;
  readonly #completions = new Map<string, CompleteData>();

  constructor(parts: FanOutParts) {
    this.#parts = parts;
  }

  /** Registers the function that completes the data of the events of an outbox before each attempt. */
  completeWith(outbox: string, complete: CompleteData): void {
    this.#completions.set(outbox, complete);
  }

  /**
   * Stores a delivery for each enabled endpoint that subscribes to a stored event, and returns all of them.
   * A repetition stores nothing again.
   */
  async store(message: EventMessage, outbox: string, { usesReserve = false } = {}): Promise<Delivery[]> {
    const { endpoints, reservedDeliveries } = this.#parts;
    const deliveries = usesReserve ? reservedDeliveries : this.#parts.deliveries;
    const { accountId, type } = message;
    const enabled = await endpoints.find({ where: { accountId, enabled: true } });
    const stored = enabled
      .filter((endpoint) => subscribes(endpoint, type))
      .map(({ id: endpointId, url }): Delivery => {
        const delivery = newDelivery({ ...message, id: `${message.id} ${endpointId}`, url, data: null });
        // The body is read from the event for each attempt, so that a corrected event is sent.
        return { ...delivery, body: '', endpointId, eventId: storedEventId(message.id), outbox };
      });
    for (const delivery of stored)
      await deliveries.insert(delivery).catch((error: unknown) => {
        if (!(error instanceof DuplicateKeyError)) throw error;
      });
    return stored;
  }

  /** Returns the text to send for a delivery; `undefined` if its event was deleted or has expired. */
  async bodyToSend(delivery: Delivery): Promise<string | undefined> {
    const body = await this.storedBody(delivery);
    const complete = this.#completions.get(delivery.outbox ?? '');
    if (body === undefined || !complete) return body;
    const { data } = JSON.parse(body);
    const origin = (await this.#parts.endpoints.get(delivery.endpointId ?? ''))?.origin;
    const context = workContext.getStore();
    // Links begin with the origin at which the creator of the endpoint reached the service.
    const completed = await (context && origin
      ? workContext.run({ ...context, origin }, () => complete(data))
      : complete(data));
    return changeData(body, () => completed);
  }

  /** Returns the stored text of a delivery; `undefined` if its event was deleted or has expired. */
  async storedBody({ body, eventId }: Delivery): Promise<string | undefined> {
    return eventId === undefined ? body : (await this.#parts.events.get(eventId))?.body;
  }

  /** Deletes the deliveries of events to endpoints. The ids are those of the messages. */
  async delete(messageIds: readonly string[]): Promise<void> {
    await this.#parts.deliveries.delete({ eventId: { in: messageIds.map(storedEventId) } });
  }
}

/** Creates a delivery of a sample, which belongs to no event. */
export function newSample(
  { id, accountId, url }: Pick<EndpointRecord, 'id' | 'accountId' | 'url'>,
  { type, data, nonce }: { type: Delivery['type']; data: JsonValue; nonce: string },
): Delivery {
  const timestamp = Date.now();
  const delivery = newDelivery({ id: `test ${id} ${nonce}`, accountId, url, type, data, timestamp });
  const body = JSON.stringify({ ...JSON.parse(delivery.body), test: true });
  return { ...delivery, body, endpointId: id };
}
