import ipaddr from 'ipaddr.js';

/**
 * Addresses that are refused although ipaddr.js classifies them as `unicast`. Azure's platform host serves
 * every virtual machine on this globally assigned address, like a metadata service.
 */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * The only IPv6 block from which IANA assigns global unicast addresses. All addresses outside it
 * (IPv4-compatible, IPv4-translated, NAT64, discard-only, SRv6 SIDs, unique local, link-local, site-local,
 * multicast, unassigned) are refused without further rules.
 */
const globalUnicastBlock = ipaddr.IPv6.parse('2000::');
const globalUnicastPrefixBits = 3;

/**
 * Tells whether an address is public unicast, the only kind to which the service connects for a caller.
 *
 * Returns false for all other addresses: private, loopback, link-local (cloud metadata), shared (CGNAT),
 * "this network", multicast, broadcast, reserved, documentation, benchmarking, AS112 and AMT anycast, unique
 * local, site-local, discard-only, ORCHID, and tunnels that embed an IPv4 address (NAT64, 6to4, Teredo,
 * IPv4-compatible). An IPv4-mapped address counts as the IPv4 address that it contains. Also returns false
 * for an address with a zone id and for text that is not an address in canonical notation.
 *
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190), IANA IPv6 Global
 * Unicast Address Assignments (RFC 3587, RFC 4291 2.4), IANA multicast registries.
 */
export function isPublicUnicast(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIPv4(ipaddr.IPv4.parse(address));
  // ipaddr.js reads `::8.8.8.8` as IPv4-mapped, the operating system as IPv4-compatible. The hexadecimal form
  // of the URL parser is unambiguous.
  const canonical = address.includes(':') ? parseAddressLiteral(address) : undefined;
  if (canonical === undefined) return false;
  const ipv6 = ipaddr.IPv6.parse(canonical);
  if (ipv6.isIPv4MappedAddress()) return isPublicIPv4(ipv6.toIPv4Address());
  return ipv6.match(globalUnicastBlock, globalUnicastPrefixBits) && ipv6.range() === 'unicast';
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !platformAddresses.has(address.toString());
}

/**
 * Parses the host of a URL or of a CONNECT target as an address, in every notation that browsers and
 * `inet_aton` accept: decimal `2130706433`, octal `0177.0.0.1`, hexadecimal `0x7f.1`, short `127.1`, a
 * trailing dot, full-width digits, IPv6 with or without brackets. Returns the address in canonical notation
 * without brackets, or `undefined` when the host is a name or malformed.
 *
 * Uses the URL parser (WHATWG URL, host parsing), as Chromium and `fetch` do.
 */
export function parseAddressLiteral(host: string): string | undefined {
  const bare = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const hostname = canonicalHost(bare);
  if (hostname === undefined) return undefined;
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined;
}

/**
 * Normalises a host like a URL parser (case, IDNA, percent-encoding, IPv4 notations; IPv6 in brackets).
 * Returns `undefined` for text that cannot be the host of an http URL.
 */
export function canonicalHost(host: string): string | undefined {
  // With a separator, the URL parser would read part of the text as user info, port or path.
  if (/[\s/\\?#@]/u.test(host) || /:/u.test(host.replace(/^\[[^\]]*\]$/u, ''))) return undefined;
  const url = URL.parse(`http://${host}/`);
  return url === null || url.hostname === '' ? undefined : url.hostname;
}

/**
 * Tells whether the guard is certain to refuse the host of a URL: an address literal that is not public,
 * `localhost`, or a name below it, which always means the loopback address (RFC 6761 6.3). Resolves no names.
 */
export function hasPrivateHost(url: URL): boolean {
  const literal = parseAddressLiteral(url.hostname);
  if (literal !== undefined) return !isPublicUnicast(literal);
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  return host === 'localhost' || host.endsWith('.localhost');
}
