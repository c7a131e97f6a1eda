import type { CollectionSpec } from '../store/store.ts';
import type { WebhookType } from './delivery.ts';
import type { ReportedDocument } from './event.ts';
import type { SealedSecret } from './signing-secret.ts';

/**
 * Why an endpoint is disabled: its account asked for it (`request`), its deliveries failed for three days
 * (`failing`), or it responded with 410 (`gone`).
 */
export type DisabledReason = 'request' | 'failing' | 'gone';

/** A receiver of the events of an account. Times are epoch milliseconds. */
export interface Endpoint {
  id: string;
  accountId: string;
  url: string;
  /** Types of events, such as `batch.completed`, and nouns, such as `generation.*`. */
  events: readonly string[];
  description: string | null;
  enabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: number | null;
  /** The time of the first failed attempt since the last success, change of the URL, or activation. */
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
}

/** An endpoint as it is stored. A change is the event of an endpoint that the service has disabled. */
export interface EndpointRecord extends Endpoint, SealedSecret, ReportedDocument {
  accountId: string;
  /** The origin at which its creator reached the service; links in its messages begin with it. */
  origin?: string | null;
  /** Its place among the endpoints of the account; a unique index of the places limits their number. */
  place: number;
}

/** The maximum number of endpoints of an account. */
export const MAX_ENDPOINTS = 20;

/** The type of the event about an endpoint that the service has disabled. */
export const DISABLED: WebhookType = 'webhook_endpoint.disabled';

/** The endpoints of all accounts. */
export const endpointsSpec: CollectionSpec<EndpointRecord> = {
  name: 'webhook_endpoints',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', place: 'asc' }, unique: true },
    { fields: { unreportedAt: 'asc' } },
  ],
};

/** Tells whether an endpoint subscribes to a type. */
export function subscribes({ events }: Pick<Endpoint, 'events'>, type: WebhookType): boolean {
  return events.some((pattern) => matchesType(pattern, type));
}

/** Tells whether a pattern, which is a type or a noun such as `generation.*`, selects a type. */
export function matchesType(pattern: string, type: WebhookType): boolean {
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
