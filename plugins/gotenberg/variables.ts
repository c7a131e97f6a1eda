import { ConfigError, messageOf } from '../../src/plugin.ts';
import { parseGoBool, parseGoDuration, parseGoInt } from './form/go-syntax.ts';
import { toPattern } from './outbound/pattern.ts';

/** How the text of an environment variable of Gotenberg becomes a value. */
type Read<Value> = (text: string) => Value;

const text: Read<string> = (given) => given;
const bool = parseGoBool;
/** Reads how often something is repeated. */
const count: Read<number> = (given) => atLeast(0, parseGoInt(given));
/** The longest duration of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Returns milliseconds. */
const duration: Read<number> = (given) => {
  const ms = Math.ceil(atLeast(0, parseGoDuration(given)));
  if (ms > MAX_TIMER_MS) throw new Error('must be at most 596h');
  return ms;
};
/** Reads a limit of time, which leaves some. */
const limit: Read<number> = (given) => {
  const ms = duration(given);
  if (ms === 0) throw new Error('must be more than 0');
  return ms;
};

function atLeast(least: number, value: number): number {
  if (value < least) throw new Error(`must be at least ${least}`);
  return value;
}

const SIZE_UNITS: readonly [string, number][] = [
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
];

/** Reads a size such as `5MB`. Returns bytes; `undefined` for no limit. */
const size: Read<number | undefined> = (given) => {
  if (given === '') return undefined;
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(given.trim()) ?? [];
  const [, bytes] = SIZE_UNITS.find(([name]) => name.toLowerCase() === (unit || 'B').toLowerCase()) ?? [];
  if (digits === '' || bytes === undefined) throw new Error('must be a size such as 5MB or 1GB');
  return Math.round(Number(digits) * bytes) || undefined;
};

/** Reads regular expressions, separated by commas. */
const patterns: Read<readonly string[]> = (given) => {
  const found = splitPatterns(given);
  for (const pattern of found) toPattern(pattern);
  return found;
};

/** Splits a list at its commas, except within brackets and braces and after a backslash. */
function splitPatterns(list: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let pattern = '';
  for (let at = 0; at < list.length; at += 1) {
    const character = list.charAt(at);
    if (character === '\\') {
      pattern += character + list.charAt(at + 1);
      at += 1;
      continue;
    }
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) {
      found.push(pattern.trim());
      pattern = '';
    } else pattern += character;
  }
  return [...found, pattern.trim()].filter(Boolean);
}

/** Gotenberg's environment variables that have a meaning here: how they are read, and their defaults. */
const READ = {
  API_BODY_LIMIT: [size, ''],
  API_CORRELATION_ID_HEADER: [text, 'Gotenberg-Trace'],
  API_DISABLE_DOWNLOAD_FROM: [bool, 'false'],
  API_DISABLE_DEBUG_ROUTE_TELEMETRY: [bool, 'true'],
  API_DISABLE_HEALTH_CHECK_ROUTE_TELEMETRY: [bool, 'true'],
  API_DISABLE_ROOT_ROUTE_TELEMETRY: [bool, 'true'],
  API_DISABLE_VERSION_ROUTE_TELEMETRY: [bool, 'true'],
  API_DOWNLOAD_FROM_ALLOW_LIST: [patterns, ''],
  API_DOWNLOAD_FROM_DENY_LIST: [patterns, ''],
  API_DOWNLOAD_FROM_MAX_RETRY: [count, '4'],
  API_ENABLE_BASIC_AUTH: [bool, 'false'],
  API_ENABLE_DEBUG_ROUTE: [bool, 'false'],
  API_ROOT_PATH: [text, '/'],
  API_TIMEOUT: [limit, '30s'],
  API_TRACE_HEADER: [text, ''],
  CHROMIUM_ALLOW_LIST: [patterns, ''],
  CHROMIUM_ALLOW_PRIVATE_IPS: [bool, 'false'],
  CHROMIUM_DENY_LIST: [patterns, String.raw`^file:(?!//\/tmp/).*`],
  CHROMIUM_DISABLE_JAVASCRIPT: [bool, 'false'],
  CHROMIUM_DISABLE_ROUTES: [bool, 'false'],
  GOTENBERG_API_BASIC_AUTH_PASSWORD: [text, ''],
  GOTENBERG_API_BASIC_AUTH_USERNAME: [text, ''],
  GOTENBERG_BUILD_DEBUG_DATA: [bool, 'true'],
  LIBREOFFICE_DISABLE_ROUTES: [bool, 'false'],
  PDFENGINES_DISABLE_ROUTES: [bool, 'false'],
  PROMETHEUS_DISABLE_COLLECT: [bool, 'false'],
  PROMETHEUS_DISABLE_ROUTE_TELEMETRY: [bool, 'true'],
  PROMETHEUS_METRICS_PATH: [text, '/prometheus/metrics'],
  PROMETHEUS_NAMESPACE: [text, 'gotenberg'],
  WEBHOOK_ALLOW_LIST: [patterns, ''],
  WEBHOOK_CLIENT_TIMEOUT: [limit, '30s'],
  WEBHOOK_DENY_LIST: [patterns, ''],
  WEBHOOK_DISABLE: [bool, 'false'],
  WEBHOOK_ENABLE_SYNC_MODE: [bool, 'false'],
  WEBHOOK_ERROR_ALLOW_LIST: [patterns, ''],
  WEBHOOK_ERROR_DENY_LIST: [patterns, ''],
  WEBHOOK_MAX_RETRY: [count, '4'],
  WEBHOOK_RETRY_MAX_WAIT: [duration, '30s'],
  WEBHOOK_RETRY_MIN_WAIT: [duration, '1s'],
} as const satisfies Readonly<Record<string, readonly [read: Read<unknown>, usual: string]>>;

/**
 * Gotenberg's other environment variables, and what to do instead. The plugin says once at the start that
 * they have no effect.
 */
const WITHOUT_MEANING: readonly string[] = [
  'API_BIND_IP',
  'API_DISABLE_HEALTH_CHECK_LOGGING',
  'API_DOWNLOAD_FROM_DENY_PRIVATE_IPS',
  'API_ENABLE_OIDC_AUTH',
  'API_OIDC_AUDIENCE',
  'API_OIDC_ISSUER',
  'API_OIDC_JWKS_URL',
  'API_PORT',
  'API_PORT_FROM_ENV',
  'API_START_TIMEOUT',
  'API_TLS_CERT_FILE',
  'API_TLS_KEY_FILE',
  'CHROMIUM_ALLOW_FILE_ACCESS_FROM_FILES',
  'CHROMIUM_ALLOW_INSECURE_LOCALHOST',
  'CHROMIUM_AUTO_START',
  'CHROMIUM_CLEAR_CACHE',
  'CHROMIUM_CLEAR_COOKIES',
  'CHROMIUM_CLEAR_STORAGE',
  'CHROMIUM_DENY_PRIVATE_IPS',
  'CHROMIUM_DENY_PUBLIC_IPS',
  'CHROMIUM_DISABLE_WEB_SECURITY',
  'CHROMIUM_ENABLE_ENVIRONMENT_PROXY',
  'CHROMIUM_HOST_RESOLVER_RULES',
  'CHROMIUM_IDLE_SHUTDOWN_TIMEOUT',
  'CHROMIUM_IGNORE_CERTIFICATE_ERRORS',
  'CHROMIUM_INCOGNITO',
  'CHROMIUM_MAX_CONCURRENCY',
  'CHROMIUM_MAX_QUEUE_SIZE',
  'CHROMIUM_PROXY_SERVER',
  'CHROMIUM_RESTART_AFTER',
  'CHROMIUM_START_TIMEOUT',
  'GOTENBERG_GRACEFUL_SHUTDOWN_DURATION',
  'GOTENBERG_HIDE_BANNER',
  'LIBREOFFICE_ALLOW_LIST',
  'LIBREOFFICE_AUTO_START',
  'LIBREOFFICE_DENY_LIST',
  'LIBREOFFICE_DENY_PRIVATE_IPS',
  'LIBREOFFICE_DENY_PUBLIC_IPS',
  'LIBREOFFICE_IDLE_SHUTDOWN_TIMEOUT',
  'LIBREOFFICE_MAX_QUEUE_SIZE',
  'LIBREOFFICE_RESTART_AFTER',
  'LIBREOFFICE_START_TIMEOUT',
  'LOG_ENABLE_GCP_FIELDS',
  'LOG_FIELDS_PREFIX',
  'LOG_STD_ENABLE_GCP_FIELDS',
  'LOG_STD_FORMAT',
  'PDFENGINES_CONVERT_ENGINES',
  'PDFENGINES_EMBED_ENGINES',
  'PDFENGINES_EMBED_METADATA_ENGINES',
  'PDFENGINES_ENCRYPT_ENGINES',
  'PDFENGINES_ENGINES',
  'PDFENGINES_FACTUR_X_ENGINES',
  'PDFENGINES_FLATTEN_ENGINES',
  'PDFENGINES_MERGE_ENGINES',
  'PDFENGINES_OPTIMIZE_ENGINES',
  'PDFENGINES_READ_BOOKMARKS_ENGINES',
  'PDFENGINES_READ_METADATA_ENGINES',
  'PDFENGINES_ROTATE_ENGINES',
  'PDFENGINES_SPLIT_ENGINES',
  'PDFENGINES_STAMP_ENGINES',
  'PDFENGINES_WATERMARK_ENGINES',
  'PDFENGINES_WRITE_BOOKMARKS_ENGINES',
  'PDFENGINES_WRITE_METADATA_ENGINES',
  'PROMETHEUS_COLLECT_INTERVAL',
  'PROMETHEUS_DISABLE_ROUTE_LOGGING',
  'WEBHOOK_DENY_PRIVATE_IPS',
  'WEBHOOK_DENY_PUBLIC_IPS',
];

type ReadName = keyof typeof READ;

/** The values of the variables. */
export type Variables = { readonly [N in ReadName]: ReturnType<(typeof READ)[N][0]> };

/** The names of all environment variables of Gotenberg that are known here. */
export const VARIABLE_NAMES: readonly string[] = [...Object.keys(READ), ...WITHOUT_MEANING];

/**
 * Reads the variables. Those that are not set have their defaults.
 * @returns also their texts, without the password, and the names of those that are set without a meaning here
 * @throws {ConfigError} for an invalid value, naming the variable
 */
export function readVariables(given: Readonly<Record<string, string | undefined>>): {
  variables: Variables;
  texts: Readonly<Record<string, string>>;
  ignored: readonly string[];
} {
  const texts = Object.entries(READ).map(([name, [, usual]]) => [name, given[name] ?? usual] as const);
  const values = Object.entries(READ).map(([name, [read, usual]]) => {
    try {
      return [name, (read as Read<unknown>)(given[name] ?? usual)];
    } catch (error) {
      throw new ConfigError(`${name}: ${messageOf(error)}`);
    }
  });
  return {
    variables: Object.fromEntries(values) as Variables,
    texts: Object.fromEntries(texts.filter(([name]) => !name.includes('BASIC_AUTH_'))),
    ignored: WITHOUT_MEANING.filter((name) => given[name] !== undefined),
  };
}
