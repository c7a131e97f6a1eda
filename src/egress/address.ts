import ipaddr from 'ipaddr.js';

/**
 * Ranges that are to be refused although ipaddr.js calls them `unicast`.
 * Azure's platform host answers every virtual machine on a globally assigned address, like a metadata service.
 */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * The only IPv6 block from which IANA assigns global unicast addresses. Everything outside it (IPv4-compatible, IPv4-translated,
 * NAT64, discard-only, SRv6 SIDs, unique local, link-local, site-local, multicast, unassigned) is refused without a rule of its own,
 * and so is what IANA has not assigned yet.
 */
const globalUnicastBlock = ipaddr.IPv6.parse('2000::');
const globalUnicastPrefixBits = 3;

/**
 * Tells whether an address is public unicast, the only kind that the service dials for a caller.
 *
 * False for everything else: private, loopback, link-local (cloud metadata), shared (CGNAT), "this network", multicast, broadcast,
 * reserved, documentation, benchmarking, AS112 and AMT anycast, unique local, site-local, discard-only, ORCHID, and the tunnels that carry
 * an IPv4 address (NAT64, 6to4, Teredo, IPv4-compatible). An IPv4-mapped address is judged by the IPv4 address inside it.
 * An address with a zone id, and a text that is no address in canonical notation, is not public.
 *
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190), IANA IPv6 Global Unicast Address
 * Assignments (RFC 3587, RFC 4291 2.4), IANA multicast registries.
 */
export function isPublicUnicast(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIPv4(ipaddr.IPv4.parse(address));
  // ipaddr.js reads `::8.8.8.8` as IPv4-mapped, the operating system as IPv4-compatible; the URL parser's
  // hexadecimal form leaves one reading.
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
 * Reads the host of a URL or of a CONNECT target as an address, in every notation that browsers and `inet_aton` take: decimal `2130706433`,
 * octal `0177.0.0.1`, hexadecimal `0x7f.1`, short `127.1`, a trailing dot, full-width digits, IPv6 with or without brackets.
 * Returns it in canonical notation without brackets, or `undefined` when the host is a name or is malformed.
 *
 * The URL parser is the judge (WHATWG URL, host parsing), since it is what Chromium and `fetch` go by.
 */
export function parseAddressLiteral(host: string): string | undefined {
  const bare = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const hostname = canonicalHost(bare);
  if (hostname === undefined) return undefined;
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined;
}

/**
 * Normalises a host as URL parsers do (case, IDNA, percent-encoding, IPv4 notations; IPv6 in brackets).
 * Returns `undefined` for a text that no http URL could have as its host.
 */
export function canonicalHost(host: string): string | undefined {
  // A separator would make the URL parser take a part of the text for user info, port or path.
  if (/[\s/\\?#@]/u.test(host) || /:/u.test(host.replace(/^\[[^\]]*\]$/u, ''))) return undefined;
  const url = URL.parse(`http://${host}/`);
  return url === null || url.hostname === '' ? undefined : url.hostname;
}

/**
 * Tells whether a URL's host is an address literal that is not public, so that a webhook URL can be refused when it is stored.
 * A host name is not judged here: only the egress guard resolves, at the moment of the request.
 */
export function hasPrivateAddressHost(url: URL): boolean {
  const literal = parseAddressLiteral(url.hostname);
  return literal !== undefined && !isPublicUnicast(literal);
}
