import { PlatenError } from './errors.ts';
import type { WebhookEvent } from './types.gen.ts';

/** The headers of a request, as `fetch`, Node and most servers have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a message (Standard Webhooks) and returns it. The body is the one that arrived, before it is parsed.
 * Throws a PlatenError `INVALID_SIGNATURE` for a message that is forged, changed or older than 5 minutes.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), String(value ?? '')]));
  const headerOf = (name: string) => values.get(`webhook-${name}`);
  const [id, time, given = ''] = ['id', 'timestamp', 'signature'].map(headerOf);
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS))
    throw invalid('The message has no time, or one more than 5 minutes from now');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  const bytes = decode(secret.replace(/^whsec_/, ''));
  if (!bytes.length)
    throw new PlatenError('INVALID_SETTING', 'The secret of the webhook is invalid: copy all of whsec_….');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const [, signature = ''] of given.matchAll(/(?:^| )v1,([^ ]+)/g))
    if (await crypto.subtle.verify('HMAC', key, decode(signature), signed))
      return JSON.parse(text) as WebhookEvent;
  throw invalid('The message is not signed with this secret, or was changed');
}

const invalid = (reason: string) => new PlatenError('INVALID_SIGNATURE', `${reason}: reject it with 400.`);

/** Returns no bytes for invalid base64. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
