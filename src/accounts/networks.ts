import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddressLiteral } from '../egress/address.ts';

/** The prefix that IPv4-mapped IPv6 addresses share, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

interface Network {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

/**
 * Returns a network of addresses in canonical form, such as `10.0.0.0/8` or `2001:db8::/32`. The text is an
 * IPv4 or IPv6 address, or an address and the length of its prefix. IPv4-mapped IPv6 addresses become IPv4.
 * Returns a sentence about the fault as `fault` for any other text.
 */
export function readNetwork(text: string): { network: string } | { fault: string } {
  const [address = '', length, ...rest] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  const all = family === 4 ? 32 : 128;
  const hasLength = length === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= all);
  if (family === 0 || rest.length > 0 || !hasLength)
    return { fault: 'must be an IPv4 or IPv6 address or network, such as 10.0.0.0/8 or 2001:db8::/32' };
  const network = toNetwork(address, length === undefined ? all : Number(length));
  const first = firstAddressOf(network);
  if (first !== network.address.toString())
    return { fault: `has bits after its prefix; write ${first}/${network.bits}` };
  return { network: `${first}/${network.bits}` };
}

/** Tells whether every address of each network is in one of the outer networks. All are in canonical form. */
export function areWithin(networks: readonly string[], outer: readonly string[]): boolean {
  const parsed = outer.map(parse);
  return networks.map(parse).every((network) => parsed.some((other) => contains(other, network)));
}

/** Tells whether a client's address is in one of the networks, which are in canonical form. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  const bare = address.split('%')[0] ?? '';
  const family = isIP(bare);
  if (family === 0) return false;
  const client = toNetwork(bare, family === 4 ? 32 : 128);
  return networks.some((network) => contains(parse(network), client));
}

function parse(network: string): Network {
  const [address = '', length] = network.split('/');
  return { address: ipaddr.parse(address), bits: Number(length) };
}

/** Converts a valid address and the length of its prefix. */
function toNetwork(address: string, bits: number): Network {
  // The URL parser writes `::8.8.8.8` in hexadecimal; ipaddr.js would read it as an IPv4-mapped address.
  const parsed = ipaddr.parse(parseAddressLiteral(address) ?? address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= MAPPED_BITS)
    return { address: parsed.toIPv4Address(), bits: bits - MAPPED_BITS };
  return { address: parsed, bits };
}

function firstAddressOf({ address, bits }: Network): string {
  const [octets, all] = [address.toByteArray(), address.kind() === 'ipv4' ? 32 : 128];
  const first = octets.map((octet, index) => {
    const kept = Math.min(8, Math.max(0, Math.min(bits, all) - index * 8));
    return octet & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(first).toString();
}

function contains(outer: Network, inner: Network): boolean {
  if (outer.bits > inner.bits) return false;
  if (outer.address instanceof ipaddr.IPv4)
    return inner.address instanceof ipaddr.IPv4 && inner.address.match(outer.address, outer.bits);
  return inner.address instanceof ipaddr.IPv6 && inner.address.match(outer.address, outer.bits);
}
