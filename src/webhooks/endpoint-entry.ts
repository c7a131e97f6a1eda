import type { Endpoint } from './endpoint.ts';

/** An endpoint as responses, events and the export of an account contain it. */
export interface EndpointEntry {
  readonly [field: string]: string | boolean | readonly string[] | null;
  id: string;
  url: string;
  events: readonly string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  disabled_at: string | null;
  failing_since: string | null;
  created_at: string;
  updated_at: string;
}

/** Converts an endpoint to wire names. */
export function presentEndpoint(endpoint: Endpoint): EndpointEntry {
  const { id, url, events, description, enabled } = endpoint;
  return {
    id,
    url,
    events,
    description,
    enabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: toIso(endpoint.disabledAt),
    failing_since: toIso(endpoint.failingSince),
    created_at: new Date(endpoint.createdAt).toISOString(),
    updated_at: new Date(endpoint.updatedAt).toISOString(),
  };
}

function toIso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
