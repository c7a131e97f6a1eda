import type { Log } from '../../../src/plugin.ts';
import type { NamedPatterns } from '../settings.ts';

/**
 * Tells the operator why a caller got 403 for a URL with a private address, and how to allow it. The log has
 * no path and no query, which may be secret.
 */
export function warnOfRefusal(log: Log, url: URL, { variable }: Pick<NamedPatterns, 'variable'>): void {
  log.warn(
    `'${url.origin}' is refused: its address is not public; the operator can allow it with EGRESS_ALLOW=${destinationOf(url)} or with a pattern in ${variable}`,
  );
}

/** Returns the host and port of an http or https URL as `EGRESS_ALLOW` has them. */
export function destinationOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
