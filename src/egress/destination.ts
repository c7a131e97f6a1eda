import { lookup } from 'node:dns/promises';
import { isPublicUnicast, parseAddressLiteral } from './address.ts';
import { parseAuthority, type Destination } from './request-head.ts';

/**
 * Resolves a host name to all its addresses. Rejects or returns an empty list when the name has no address.
 */
export type Resolve = (host: string) => Promise<string[]>;

/** The guard's decision about one request. */
export interface EgressDecision {
  /** The host as normalised by the URL parser. Empty, with port 0, when the request's host was malformed. */
  host: string;
  port: number;
  outcome: 'allowed' | 'refused' | 'unresolvable';
  /** The reason, which may be shown to a caller: it never contains a resolved address. */
  reason: string;
  /** Why the last connection to an allowed host failed; absent when it succeeded. */
  failure?: string;
}

/** A decision with the checked addresses to connect to; empty unless the outcome is `allowed`. */
interface CheckedDestination extends EgressDecision {
  addresses: string[];
}

/**
 * The destinations that the guard allows regardless of their address, as `host:port`. It may change while the
 * guard is open.
 */
export type AllowList = Pick<ReadonlySet<string>, 'has'>;

/**
 * Parses the operator's `EGRESS_ALLOW` entries (`assets.internal:8080`, `127.0.0.1:9000`, `[::1]:80`) for
 * {@link checkDestination}. The port is required. An entry allows exactly this host, as written, and this
 * port.
 * @throws {TypeError} that names the entry that is not `host:port`
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

/**
 * Returns the host and port of an http or https URL, or a string with the reason why the guard refuses every
 * request to it.
 */
export function destinationOf(url: URL): Destination | string {
  return parseAuthority(url.host, url.protocol === 'https:' ? 443 : 80);
}

/** Returns the entry of `EGRESS_ALLOW` that allows a destination: `host:port`. */
export function allowKey({ host, port }: Destination): string {
  return `${host}:${port}`;
}

/**
 * Resolves the host of a request once and decides about the request. The caller connects to one of the
 * returned addresses and never resolves the name again, so a later change of the DNS answer (DNS rebinding)
 * has no effect. If one of the addresses is not public, the name is refused.
 */
export async function checkDestination(
  destination: Destination,
  { allow, resolve }: { allow: AllowList; resolve: Resolve },
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
  // Any port is allowed: callers can reach the same ports from their own machines, and the guard only
  // protects private addresses.
  return { host, port, outcome: 'allowed', reason: 'public address', addresses };
}

/**
 * Resolves through the operating system (including `/etc/hosts`). IPv4 addresses come first because broken
 * IPv6 routes are more common.
 */
export async function resolveWithSystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  const ordered = found.toSorted((a, b) => a.family - b.family);
  return [...new Set(ordered.map(({ address }) => address))];
}
