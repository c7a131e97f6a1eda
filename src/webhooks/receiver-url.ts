import { Type } from '@sinclair/typebox';
import { hasPrivateAddressHost } from '../egress/address.ts';
import { isAllowListed } from '../egress/destination.ts';
import { invalid } from '../errors.ts';

const MAX_URL_CHARACTERS = 2048;

/** The schema of a `webhook` field. What it cannot say is said by {@link checkReceiverUrl}. */
export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  expected: `an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
  description:
    'http or https URL, without credentials and not on a private address. A signed message (Standard Webhooks) is sent there by POST, and again later until the receiver answers 2xx.',
});

/** Checks the URL of a receiver, see `Webhooks.check`. A host name is judged by the egress guard, when it is resolved. */
export function checkReceiverUrl(path: string, text: string, allow: ReadonlySet<string>): void {
  const url = URL.parse(text);
  if (url === null) throw invalid(path, 'must be a URL such as https://example.com/hook');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(path, 'must be an http or https URL');
  if (url.username || url.password)
    throw invalid(path, 'must not hold a user name or password; check the signature instead');
  if (hasPrivateAddressHost(url) && !isAllowListed(url, allow))
    throw invalid(
      path,
      'must not lead to an address that is not public, unless the operator allows it (EGRESS_ALLOW)',
    );
}

/** Leaves out of a URL what may be secret: query and fragment. */
export function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
