import { AppError, type Webhooks } from '../../../src/plugin.ts';
import { GoSyntaxError } from '../form/go-syntax.ts';
import { parseGoJson } from '../form/go-json.ts';
import { callersHeaders } from '../outbound/headers.ts';
import { isWeb, type Outbound } from '../outbound/outbound.ts';
import { forbidden } from '../outbound/url-filter.ts';
import type { NamedPatterns, Settings } from '../settings.ts';

/** Where the result of a request is sent, by the headers `Gotenberg-Webhook-*`. */
export interface WebhookTarget {
  url: string;
  method: string;
  /** Receives failures. */
  errorUrl: string | null;
  errorMethod: string;
  /** Receives `webhook.success` and `webhook.error`. */
  eventsUrl: string | null;
  /** Headers of every message, except those to `eventsUrl`. */
  headers: Readonly<Record<string, string>>;
}

interface TargetParts {
  outbound: Pick<Outbound, 'judge' | 'warnOfRefusal'>;
  webhooks: Pick<Webhooks, 'check'>;
  settings: Settings['webhook'];
}

const METHODS: readonly string[] = ['POST', 'PATCH', 'PUT'];

/**
 * Reads the headers `Gotenberg-Webhook-*`. Returns `undefined` if there are none, or webhooks are off.
 * @throws {AppError} VALIDATION_ERROR for an invalid header, FORBIDDEN for a URL that may not be opened
 */
export async function readTarget(
  headers: Headers,
  { outbound, webhooks, settings }: TargetParts,
): Promise<WebhookTarget | undefined> {
  const url = headers.get('gotenberg-webhook-url') ?? '';
  if (url === '' || settings.isOff) return undefined;
  const errorUrl = headers.get('gotenberg-webhook-error-url') || null;
  const eventsUrl = headers.get('gotenberg-webhook-events-url') || null;
  if (errorUrl === null && eventsUrl === null)
    throw invalid(
      "At least one of 'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url' headers must be provided",
    );
  const check = async (name: string, text: string | null, patterns: NamedPatterns) => {
    if (text === null) return;
    const parsed = URL.parse(text);
    if (!parsed || !isWeb(parsed))
      throw invalid(`Invalid '${name}' header value: expected an http or https URL`);
    if ((await outbound.judge(parsed, patterns)) === 'listed') return;
    // Credentials in a URL become a header.
    [parsed.username, parsed.password] = ['', ''];
    try {
      webhooks.check(name, parsed.href);
    } catch (error) {
      outbound.warnOfRefusal(parsed, patterns);
      throw forbidden(error);
    }
  };
  await check('Gotenberg-Webhook-Url', url, settings);
  await check('Gotenberg-Webhook-Error-Url', errorUrl, settings.errors);
  const method = readMethod(headers, 'Gotenberg-Webhook-Method');
  const errorMethod = errorUrl === null ? 'POST' : readMethod(headers, 'Gotenberg-Webhook-Error-Method');
  const extra = readExtraHeaders(headers.get('gotenberg-webhook-extra-http-headers') ?? '');
  await check('Gotenberg-Webhook-Events-Url', eventsUrl, settings);
  return { url, method, errorUrl, errorMethod, eventsUrl, headers: extra };
}

function readMethod(headers: Headers, name: string): string {
  const method = (headers.get(name) || 'POST').toUpperCase();
  if (METHODS.includes(method)) return method;
  throw invalid(
    `Invalid '${name}' header value: expected 'POST', 'PATCH' or 'PUT', but got '${method.slice(0, 100)}'`,
  );
}

function readExtraHeaders(text: string): Readonly<Record<string, string>> {
  if (text === '') return {};
  const fail = (reason: string) =>
    invalid(`Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${reason}`);
  try {
    const value = parseGoJson(text) ?? {};
    if (typeof value !== 'object' || Array.isArray(value))
      throw fail('json: cannot unmarshal into Go value of type map[string]string');
    const isText = Object.values(value).every((each) => typeof each === 'string');
    if (!isText) throw fail('json: cannot unmarshal into Go value of type string');
    callersHeaders(value as Record<string, string>);
    return value as Record<string, string>;
  } catch (error) {
    if (error instanceof GoSyntaxError) throw fail(error.message);
    if (error instanceof TypeError) throw fail('a name or value is not one of a header');
    throw error;
  }
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}
