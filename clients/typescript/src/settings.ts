import { PlatenError } from './errors.ts';

/** The settings of a client. */
export interface PlatenSettings {
  /** The address of the service. By default, `PLATEN_URL` of the environment, or `http://127.0.0.1:3000`. */
  url?: string | undefined;
  /** An API key. By default, `PLATEN_API_KEY` of the environment. */
  apiKey?: string | undefined;
  /** How often a request is repeated that failed for a moment. By default 4. */
  retries?: number | undefined;
  /** The limit for the response to each attempt, in milliseconds. By default 5 minutes. */
  timeoutMs?: number | undefined;
}

/** Completes and checks the settings. */
export function readSettings(given: PlatenSettings) {
  const apiKey = given.apiKey ?? variable('PLATEN_API_KEY');
  if (!apiKey) throw invalid('There is no API key: set PLATEN_API_KEY to the key that `npm start` printed.');
  if (!/^[!-~]+$/.test(apiKey)) throw invalid('The API key has a space or a line break: copy it again.');
  const { retries = 4, timeoutMs = 300_000 } = given;
  const address = given.url ?? variable('PLATEN_URL') ?? 'http://127.0.0.1:3000';
  const url = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw invalid(`PLATEN_URL is '${address}': set it to a URL such as http://127.0.0.1:3000.`);
  return { url: url.origin + url.pathname.replace(/\/+$/, ''), apiKey, retries, timeoutMs };
}

const invalid = (message: string) => new PlatenError('INVALID_SETTING', message);

/** Reads the environment. Browsers have none, and Deno refuses it without a permission. */
function variable(name: string): string | undefined {
  try {
    return (globalThis as Partial<typeof globalThis>).process?.env[name] || undefined;
  } catch {
    return undefined;
  }
}
