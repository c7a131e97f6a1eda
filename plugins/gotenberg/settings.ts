import { ConfigError, Type, type Static } from '../../src/plugin.ts';
import { readVariables, VARIABLE_NAMES } from './variables.ts';

const variables = Object.fromEntries(
  VARIABLE_NAMES.map((name) => [name, Type.Optional(Type.String())] as const),
);

/**
 * The section `plugins.gotenberg` of the configuration file. Gotenberg's environment variables may also stand
 * there under their names; those of the environment override them.
 */
export const Config = Type.Object(
  {
    account: Type.Optional(
      Type.String({
        minLength: 3,
        pattern: '^[^@\\s]+@[^@\\s]+$',
        expected: 'the email address of an account',
        description: 'The account of requests without credentials.',
      }),
    ),
    ...variables,
  },
  { additionalProperties: false },
);

/** The properties of {@link Config} that environment variables of the same names set. */
export const env: Readonly<Record<string, string>> = Object.fromEntries(
  VARIABLE_NAMES.map((name) => [name, name]),
);

/** The URLs that a feature may open. A URL must match `allow`, if there are patterns, and none of `deny`. */
export interface UrlFilter {
  allow: readonly RegExp[];
  deny: readonly RegExp[];
}

/** The settings of the plugin. Durations are milliseconds. */
export interface Settings {
  /** The email address of the account of requests without credentials. */
  account: string | undefined;
  /** The limit of a request. */
  timeoutMs: number;
  /** The limit of a form with the files that it names; `undefined` means that of the service. */
  bodyLimitBytes: number | undefined;
  /** Begins and ends with a slash. */
  rootPath: string;
  traceHeader: string;
  /** Gotenberg's own basic authentication. */
  basicAuth: { username: string; password: string } | undefined;
  downloadFrom: UrlFilter & { isOff: boolean; maxRetries: number };
  chromium: UrlFilter & { areRoutesOff: boolean; isJavaScriptOff: boolean };
  libreOffice: { areRoutesOff: boolean };
  pdfEngines: { areRoutesOff: boolean };
  webhook: UrlFilter & {
    isOff: boolean;
    isSynchronous: boolean;
    maxRetries: number;
    minWaitMs: number;
    maxWaitMs: number;
    timeoutMs: number;
    /** For the URL of errors. */
    errors: UrlFilter;
  };
  metrics: { isOff: boolean; path: string; namespace: string };
  hasDebugRoute: boolean;
  /** The variables that are set and have no meaning here. */
  ignored: readonly string[];
}

/** Reads the settings. @throws {ConfigError} for an invalid one, naming it */
export function readSettings({ account, ...given }: Static<typeof Config>): Settings {
  const { variables: v, ignored } = readVariables(given);
  const rootPath = v.API_ROOT_PATH ?? '/';
  if (!/^\/(?:[\w.~-]+\/)*$/.test(rootPath))
    throw new ConfigError('API_ROOT_PATH: must begin and end with a slash, such as /gotenberg/');
  const traceHeader = v.API_CORRELATION_ID_HEADER ?? v.API_TRACE_HEADER ?? 'Gotenberg-Trace';
  if (!/^[\w-]+$/.test(traceHeader))
    throw new ConfigError('API_CORRELATION_ID_HEADER: must be the name of a header');
  const filter = (allow: readonly RegExp[] = [], deny: readonly RegExp[] = []) => ({ allow, deny });
  return {
    account,
    timeoutMs: v.API_TIMEOUT ?? 30_000,
    bodyLimitBytes: v.API_BODY_LIMIT || undefined,
    rootPath,
    traceHeader,
    basicAuth: readBasicAuth(v, account),
    downloadFrom: {
      ...filter(v.API_DOWNLOAD_FROM_ALLOW_LIST, v.API_DOWNLOAD_FROM_DENY_LIST),
      isOff: v.API_DISABLE_DOWNLOAD_FROM ?? false,
      maxRetries: v.API_DOWNLOAD_FROM_MAX_RETRY ?? 4,
    },
    chromium: {
      ...filter(v.CHROMIUM_ALLOW_LIST, v.CHROMIUM_DENY_LIST),
      areRoutesOff: v.CHROMIUM_DISABLE_ROUTES ?? false,
      isJavaScriptOff: v.CHROMIUM_DISABLE_JAVASCRIPT ?? false,
    },
    libreOffice: { areRoutesOff: v.LIBREOFFICE_DISABLE_ROUTES ?? false },
    pdfEngines: { areRoutesOff: v.PDFENGINES_DISABLE_ROUTES ?? false },
    webhook: {
      ...filter(v.WEBHOOK_ALLOW_LIST, v.WEBHOOK_DENY_LIST),
      isOff: v.WEBHOOK_DISABLE ?? false,
      isSynchronous: v.WEBHOOK_ENABLE_SYNC_MODE ?? false,
      maxRetries: v.WEBHOOK_MAX_RETRY ?? 4,
      minWaitMs: v.WEBHOOK_RETRY_MIN_WAIT ?? 1_000,
      maxWaitMs: v.WEBHOOK_RETRY_MAX_WAIT ?? 30_000,
      timeoutMs: v.WEBHOOK_CLIENT_TIMEOUT ?? 30_000,
      errors: filter(v.WEBHOOK_ERROR_ALLOW_LIST, v.WEBHOOK_ERROR_DENY_LIST),
    },
    metrics: {
      isOff: v.PROMETHEUS_DISABLE_COLLECT ?? false,
      path: v.PROMETHEUS_METRICS_PATH ?? '/prometheus/metrics',
      namespace: v.PROMETHEUS_NAMESPACE ?? 'gotenberg',
    },
    hasDebugRoute: v.API_ENABLE_DEBUG_ROUTE ?? false,
    ignored,
  };
}

function readBasicAuth(
  v: ReturnType<typeof readVariables>['variables'],
  account: string | undefined,
): Settings['basicAuth'] {
  if (!v.API_ENABLE_BASIC_AUTH) return undefined;
  const username = v.GOTENBERG_API_BASIC_AUTH_USERNAME;
  const password = v.GOTENBERG_API_BASIC_AUTH_PASSWORD;
  if (!username || !password)
    throw new ConfigError(
      'API_ENABLE_BASIC_AUTH: needs GOTENBERG_API_BASIC_AUTH_USERNAME and GOTENBERG_API_BASIC_AUTH_PASSWORD',
    );
  if (account === undefined)
    throw new ConfigError(
      'API_ENABLE_BASIC_AUTH: needs plugins.gotenberg.account, to which requests with this password belong',
    );
  return { username, password };
}
