import { Type } from '@sinclair/typebox';
import { hasPrivateHost } from '../egress/address.ts';
import { allowKey, destinationOf } from '../egress/destination.ts';
import { invalid } from '../errors.ts';

const MAX_URL_CHARACTERS = 2048;

/** The schema of a `webhook` field. {@link checkReceiverUrl} checks the rest. */
export const WebhookUrl = Type.String({
  title: 'WebhookUrl',
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  expected: `an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
  description:
    'An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`. A signed message (Standard Webhooks) is sent to it by POST, and retried a limited number of times until the receiver responds with 2xx.',
});

/**
 * Checks the URL of a receiver (see `Webhooks.check`). Other host names are checked by the egress guard,
 * which resolves them.
 */
export function checkReceiverUrl(path: string, text: string, allow: ReadonlySet<string>): void {
  const url = URL.parse(text);
  if (url === null) throw invalid(path, 'must be a URL such as https://example.com/hook');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(path, 'must be an http or https URL');
  if (url.username || url.password)
    throw invalid(path, 'must not contain a user name or password; verify the signature instead');
  const destination = destinationOf(url);
  if (typeof destination === 'string')
    throw invalid(path, `must have a valid host and port (${destination})`);
  if (hasPrivateHost(url) && !allow.has(allowKey(destination)))
    throw invalid(
      path,
      `must be on a public address, and ${url.hostname} is not; the operator can allow it with EGRESS_ALLOW=${allowKey(destination)}`,
    );
}

/** Removes the query and the fragment of a URL, which may be secret. */
export function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
