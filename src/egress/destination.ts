import { lookup } from 'node:dns/promises';
import { isPublicUnicast, parseAddressLiteral } from './address.ts';
import { parseAuthority, type Destination } from './request-head.ts';

/** Turns a host name into all its addresses. Rejects, or returns none, when the name has no address. */
export type Resolve = (host: string) => Promise<string[]>;

/** What the guard decided about one request. */
export interface EgressDecision {
  /** As the URL parser writes it; empty, with port 0, when the request's own was malformed. */
  host: string;
  port: number;
  outcome: 'allowed' | 'refused' | 'unresolvable';
  /** Why, in words that may be shown to a caller: never a resolved address. */
  reason: string;
}

/** A decision with the addresses that were checked and may be dialed: none unless allowed. */
export interface CheckedDestination extends EgressDecision {
  addresses: string[];
}

/**
 * Reads the operator's `EGRESS_ALLOW` entries (`assets.internal:8080`, `127.0.0.1:9000`, `[::1]:80`) into the set that
 * {@link checkDestination} takes. The port is always written out; an entry opens that host spelling and that port, nothing beside them.
 * @throws {TypeError} naming the entry that is not `host:port`.
 */
export function parseAllowList(entries: readonly string[]): ReadonlySet<string> {
  const keys = entries.map((entry) => {
    const destination = parseAuthority(entry.trim(), undefined);
    if (typeof destination === 'string') {
      throw new TypeError(`the entry "${entry}" must be host:port, such as 127.0.0.1:9000 (${destination})`);
    }
    return allowKey(destination);
  });
  return new Set(keys);
}

/** Tells whether the host and port of an http or https URL are an entry of the allow list. */
export function isAllowListed(url: URL, allow: ReadonlySet<string>): boolean {
  const destination = parseAuthority(url.host, url.protocol === 'https:' ? 443 : 80);
  return typeof destination !== 'string' && allow.has(allowKey(destination));
}

function allowKey({ host, port }: Destination): string {
  return `${host}:${port}`;
}

/**
 * Decides about one request and resolves its host, once. The caller dials one of the returned addresses and never the name again, so a
 * name that changes its answer afterwards (DNS rebinding) changes nothing. A single address that is not public refuses the whole name.
 */
export async function checkDestination(
  destination: Destination,
  { allow, resolve }: { allow: ReadonlySet<string>; resolve: Resolve },
): Promise<CheckedDestination> {
  const { host, port } = destination;
  const allowListed = allow.has(allowKey(destination));
  const literal = parseAddressLiteral(host);
  const addresses = literal === undefined ? await resolve(host).catch(() => []) : [literal];
  if (addresses.length === 0) {
    return { host, port, outcome: 'unresolvable', reason: 'the host has no address', addresses: [] };
  }
  if (allowListed) return { host, port, outcome: 'allowed', reason: 'on the allow list', addresses };
  if (!addresses.every(isPublicUnicast)) {
    return { host, port, outcome: 'refused', reason: 'the address is not public', addresses: [] };
  }
  // Any port: mail and other ports are as reachable from a caller's own machine, and a public address is the only thing promised here.
  return { host, port, outcome: 'allowed', reason: 'public address', addresses };
}

/** Resolves through the operating system (`/etc/hosts` included), IPv4 first, because a broken IPv6 route is the commoner fault. */
export async function resolveWithSystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  const ordered = found.toSorted((a, b) => a.family - b.family);
  return [...new Set(ordered.map(({ address }) => address))];
}
