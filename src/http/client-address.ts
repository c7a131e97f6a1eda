import { isIP } from 'node:net';

/**
 * Finds the address of the client behind a number of trusted reverse proxies: the entry of `X-Forwarded-For`
 * that the outermost proxy wrote. Entries before it come from the client and are ignored. If there are fewer
 * entries than proxies, the request did not pass through all of them, and the address of the peer is used.
 * Some proxies append a port, which is removed.
 */
export function clientAddress(forwardedFor: string | null, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === null) return peer;
  const entry = forwardedFor.split(',').at(-trustedProxies)?.trim() ?? '';
  const [, bracketed, plain] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry;
  return isIP(address) ? address : peer;
}
