import { isIP } from 'node:net';

/**
 * Finds the address of the client behind a number of trusted reverse proxies: the entry of `X-Forwarded-For` that the outermost of
 * them wrote. What stands before it the client may have invented. Without so many entries the peer is not behind them all, and its
 * own address counts. Some proxies add the port.
 */
export function clientAddress(forwardedFor: string | null, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === null) return peer;
  const entry = forwardedFor.split(',').at(-trustedProxies)?.trim() ?? '';
  const [, bracketed, plain] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry;
  return isIP(address) ? address : peer;
}
