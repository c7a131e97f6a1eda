import { ownedRecords, type AccountData } from '../account-data.ts';
import { AppError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { findPage, mapListed, type Listed, type Page } from '../store/find-page.ts';
import { DuplicateKeyError, type Collection } from '../store/store.ts';
import { workContext } from '../work-context.ts';
import { DISABLED, MAX_ENDPOINTS, type Endpoint, type EndpointRecord } from './endpoint.ts';
import { presentEndpoint, type EndpointEntry } from './endpoint-entry.ts';
import type { EventTypes } from './event-types.ts';
import type { Outbox, Outboxes } from './outbox.ts';
import { withoutQuery } from './receiver-url.ts';
import type { SecretSealer, SigningSecrets } from './signing-secret.ts';

/** The fields of an endpoint that its account chooses. */
export interface EndpointFields {
  url: string;
  events: readonly string[];
  description: string | null;
  enabled: boolean;
}

/** The receivers of the events of accounts. */
export interface WebhookEndpoints {
  /**
   * Creates an endpoint with a secret. Requests with the same `workId` create one endpoint.
   * @throws {AppError} VALIDATION_ERROR that names the field; CONFLICT if the account has
   * {@link MAX_ENDPOINTS}
   */
  create(
    accountId: string,
    fields: EndpointFields,
    workId?: string,
  ): Promise<{ endpoint: EndpointEntry; secret: string }>;
  /** Lists the endpoints of an account, newest first. */
  list(accountId: string, page: Page): Promise<Listed<EndpointEntry>>;
  /** Returns an endpoint of an account. @throws {AppError} NOT_FOUND */
  get(accountId: string, id: string): Promise<EndpointEntry>;
  /**
   * Changes some fields of an endpoint. Activation and a new URL clear its failures.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR that names the field
   */
  change(accountId: string, id: string, fields: Partial<EndpointFields>): Promise<EndpointEntry>;
  /**
   * Deletes an endpoint. Its pending deliveries are not sent: each is deleted when its next attempt is due,
   * because an account can have more of them than one request should delete.
   * @throws {AppError} NOT_FOUND
   */
  remove(accountId: string, id: string): Promise<void>;
  /** Returns the current secret of an endpoint. @throws {AppError} NOT_FOUND */
  readSecret(accountId: string, id: string): Promise<string>;
  /**
   * Creates a new secret and returns it. For 24 hours, the previous secret also signs.
   * @throws {AppError} NOT_FOUND
   */
  rotateSecret(accountId: string, id: string): Promise<string>;
}

interface EndpointParts {
  endpoints: Collection<EndpointRecord>;
  types: EventTypes;
  sealer: SecretSealer;
  outboxes: Outboxes;
  /** See `Webhooks.check`. */
  checkUrl: (path: string, url: string) => void;
  now: () => number;
  log: Log;
}

/** How long the deliveries to an endpoint fail, without a success, before it is disabled. */
const PATIENCE_MS = 3 * 24 * 60 * 60_000;

/** Stores the endpoints of accounts and disables those that fail. */
export class Endpoints implements WebhookEndpoints {
  readonly #parts: EndpointParts;
  readonly #outbox: Outbox<EndpointRecord>;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#outbox = parts.outboxes.open({
      name: 'webhook endpoints',
      collection: parts.endpoints,
      toEvent(record) {
        const { id, accountId, unreportedAt } = record;
        const timestamp = unreportedAt ?? parts.now();
        // Other endpoints receive this data, so it must not have the query of the URL, which may be secret.
        const data = { ...presentEndpoint(record), url: withoutQuery(record.url) };
        return { id: `${DISABLED}:${id}:${timestamp}`, accountId, type: DISABLED, data, timestamp };
      },
    });
  }

  async create(
    accountId: string,
    fields: EndpointFields,
    workId?: string,
  ): Promise<{ endpoint: EndpointEntry; secret: string }> {
    const { endpoints, outboxes, sealer, now } = this.#parts;
    this.#check(fields);
    const id = workId === undefined ? newId('we_') : `we_${workId}`;
    const time = now();
    const draft = {
      id,
      accountId,
      url: toAscii(fields.url),
      events: unique(fields.events),
      description: fields.description,
      ...switched(fields.enabled, time),
      ...sealer.create(id),
      failingSince: null,
      origin: workContext.getStore()?.origin ?? null,
      createdAt: time,
      updatedAt: time,
      unreportedAt: null,
    };
    // The events of earlier requests do not concern a new endpoint.
    await outboxes.settled(accountId);
    for (;;) {
      const existing = await endpoints.get(id);
      if (existing?.accountId === accountId) return this.#withSecret(existing);
      const record: EndpointRecord = { ...draft, place: await this.#freePlace(accountId) };
      try {
        await endpoints.insert(record);
        return this.#withSecret(record);
      } catch (error) {
        // Another request took the place, or the same request was repeated.
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }

  async list(accountId: string, page: Page): Promise<Listed<EndpointEntry>> {
    const { endpoints } = this.#parts;
    const found = await findPage(endpoints, { where: { accountId }, at: (id) => ({ accountId, id }), page });
    return mapListed(found, presentEndpoint);
  }

  async get(accountId: string, id: string): Promise<EndpointEntry> {
    return presentEndpoint(await this.require(accountId, id));
  }

  async change(accountId: string, id: string, fields: Partial<EndpointFields>): Promise<EndpointEntry> {
    const { endpoints, now } = this.#parts;
    this.#check(fields);
    for (;;) {
      const { enabled, url } = await this.#getReported(accountId, id);
      const set = toChange({ enabled, url }, fields, now());
      const changed = await endpoints.update({ id, accountId, enabled, url, unreportedAt: null }, set);
      if (changed) return presentEndpoint(changed);
    }
  }

  async remove(accountId: string, id: string): Promise<void> {
    await this.#getReported(accountId, id, { usesReserve: true });
    if ((await this.#parts.endpoints.delete({ id, accountId })) === 0) throw notFound('webhook endpoint');
  }

  async readSecret(accountId: string, id: string): Promise<string> {
    return this.secretsOf(await this.require(accountId, id))[0];
  }

  async rotateSecret(accountId: string, id: string): Promise<string> {
    const { endpoints, sealer } = this.#parts;
    for (;;) {
      const found = await this.require(accountId, id);
      const { secret, rotated } = sealer.rotate(id, found);
      if (await endpoints.update({ id, accountId, current: found.current }, rotated)) return secret;
    }
  }

  /** Returns the record of an endpoint. @throws {AppError} NOT_FOUND */
  async require(accountId: string, id: string): Promise<EndpointRecord> {
    const found = await this.find(id);
    if (found?.accountId !== accountId) throw notFound('webhook endpoint');
    return found;
  }

  /** Returns the record of an endpoint; `null` if it was deleted. */
  find(id: string): Promise<EndpointRecord | null> {
    return this.#parts.endpoints.get(id);
  }

  /** Returns the secrets that sign, the current one first. @throws {WebhookSecretError} */
  secretsOf(record: EndpointRecord): SigningSecrets {
    return this.#parts.sealer.open(record.id, record);
  }

  /** Notes that an endpoint has accepted a message. An attempt to an earlier URL changes nothing. */
  async noteSuccess({ id, url }: Pick<Endpoint, 'id' | 'url'>): Promise<void> {
    await this.#parts.endpoints.update({ id, url, failingSince: { gte: 0 } }, { failingSince: null });
  }

  /**
   * Notes that an attempt to send to an endpoint has failed. Disables the endpoint if it is gone, or if
   * attempts have failed for three days without a success. An attempt to an earlier URL changes nothing.
   */
  async noteFailure({ id, url }: Pick<Endpoint, 'id' | 'url'>, isGone: boolean): Promise<void> {
    const { endpoints, now } = this.#parts;
    const sameUrl = { id, url, enabled: true } as const;
    if (isGone) return this.#disable(sameUrl, 'gone');
    const time = now();
    if (await endpoints.update({ ...sameUrl, failingSince: null }, { failingSince: time })) return;
    await this.#disable({ ...sameUrl, failingSince: { gte: 0, lte: time - PATIENCE_MS } }, 'failing');
  }

  /** The endpoints as data of their accounts. Exports do not contain their secrets. */
  get accountData(): AccountData {
    return ownedRecords({
      name: 'webhook-endpoints',
      collection: this.#parts.endpoints,
      present: (record) => ({ record: presentEndpoint(record) }),
    });
  }

  /** Disables an endpoint. The write also notes that the event is due, so that no crash loses it. */
  async #disable(
    where: Parameters<Collection<EndpointRecord>['update']>[0],
    reason: 'failing' | 'gone',
  ): Promise<void> {
    const { endpoints, now, log } = this.#parts;
    const disabledAt = now();
    const disabled = await endpoints.update(
      { ...where, unreportedAt: null },
      {
        enabled: false,
        disabledReason: reason,
        disabledAt,
        unreportedAt: disabledAt,
        updatedAt: disabledAt,
      },
    );
    if (!disabled) return;
    const { id, accountId, url } = disabled;
    log.warn(
      { endpoint: id, account: accountId, host: new URL(url).host, reason },
      'webhook endpoint disabled',
    );
    this.#outbox.report(disabled);
  }

  /** Returns an endpoint after its event is stored, because a change would replace the event. */
  async #getReported(
    accountId: string,
    id: string,
    options: { usesReserve?: boolean } = {},
  ): Promise<EndpointRecord> {
    for (;;) {
      const found = await this.require(accountId, id);
      if (typeof found.unreportedAt !== 'number') return found;
      await this.#outbox.store(found, options);
    }
  }

  /** Returns the first place that no endpoint of an account has. */
  async #freePlace(accountId: string): Promise<number> {
    const found = await this.#parts.endpoints.find({ where: { accountId } });
    const taken = new Set(found.map(({ place }) => place));
    const free = Array.from({ length: MAX_ENDPOINTS }, (_, place) => place).find(
      (place) => !taken.has(place),
    );
    if (free !== undefined) return free;
    throw new AppError(
      'CONFLICT',
      `the account has ${MAX_ENDPOINTS} webhook endpoints, which is the maximum; delete one first`,
    );
  }

  #withSecret(record: EndpointRecord): { endpoint: EndpointEntry; secret: string } {
    return { endpoint: presentEndpoint(record), secret: this.secretsOf(record)[0] };
  }

  #check({ url, events }: Partial<EndpointFields>): void {
    if (url !== undefined) this.#parts.checkUrl('url', url);
    for (const [index, pattern] of (events ?? []).entries())
      this.#parts.types.select(`events[${index}]`, pattern);
  }
}

/** Returns the fields to store after a change. */
function toChange(
  earlier: Pick<Endpoint, 'enabled' | 'url'>,
  { events, enabled = earlier.enabled, url: newUrl, ...others }: Partial<EndpointFields>,
  now: number,
): Partial<Endpoint> {
  const url = newUrl === undefined ? earlier.url : toAscii(newUrl);
  const isSwitched = enabled !== earlier.enabled;
  return {
    ...others,
    url,
    updatedAt: now,
    ...(events && { events: unique(events) }),
    ...(isSwitched && switched(enabled, now)),
    ...((url !== earlier.url || (isSwitched && enabled)) && { failingSince: null }),
  };
}

/** Returns the fields of an endpoint that its account activates or disables. */
function switched(
  enabled: boolean,
  now: number,
): Pick<Endpoint, 'enabled' | 'disabledReason' | 'disabledAt'> {
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: 'request', disabledAt: now };
}

/** Returns a URL in the form that is sent, which every store returns and finds unchanged. */
function toAscii(url: string): string {
  return new URL(url).href;
}

function unique(events: readonly string[]): readonly string[] {
  return [...new Set(events)];
}
