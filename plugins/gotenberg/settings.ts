import { ConfigError, Type } from '../../src/plugin.ts';
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

/** The properties of {@link Config} that environment variables set. */
export const env: Readonly<Record<string, string>> = {
  ...Object.fromEntries(VARIABLE_NAMES.map((name) => [name, name])),
  GOTENBERG_ACCOUNT: 'account',
};

/**
 * The URLs that a feature may open, as regular expressions. A URL must match one of `allow`, if there are
 * any, and none of `deny`. One that matches `allow` may have a private address.
 */
export interface UrlPatterns {
  allow: readonly string[];
  deny: readonly string[];
}

/** Patterns of one feature. */
export interface NamedPatterns extends UrlPatterns {
  /** The variable that sets `allow`. */
  variable: string;
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
  downloadFrom: NamedPatterns & { isOff: boolean; maxRetries: number };
  chromium: NamedPatterns & { areRoutesOff: boolean; isJavaScriptOff: boolean };
  libreOffice: { areRoutesOff: boolean };
  pdfEngines: { areRoutesOff: boolean };
  webhook: NamedPatterns & {
    isOff: boolean;
    isSynchronous: boolean;
    maxRetries: number;
    minWaitMs: number;
    maxWaitMs: number;
    timeoutMs: number;
    /** For the URL of errors. */
    errors: NamedPatterns;
  };
  metrics: { isOff: boolean; path: string; namespace: string };
  hasDebugRoute: boolean;
  /** Whether `/debug` shows anything. */
  hasDebugData: boolean;
  /** The paths of routes whose requests are not logged. */
  unlogged: readonly string[];
  /** The texts of the variables, by their names, without passwords. */
  texts: Readonly<Record<string, string>>;
  /** The variables that are set and have no meaning here. */
  ignored: readonly string[];
}

/** Reads the settings. @throws {ConfigError} for an invalid one, naming it */
export function readSettings({ account, ...given }: Readonly<Record<string, string | undefined>>): Settings {
  const { variables: v, texts, ignored } = readVariables(given);
  const rootPath = v.API_ROOT_PATH;
  if (!/^\/(?:[\w.~-]+\/)*$/.test(rootPath))
    throw new ConfigError('API_ROOT_PATH: must begin and end with a slash, such as /gotenberg/');
  // All paths below it have Gotenberg's errors.
  if (/^\/(?:v1|docs|studio)\//.test(rootPath))
    throw new ConfigError(`API_ROOT_PATH: ${rootPath} is a path of Platen`);
  const traceHeader = v.API_TRACE_HEADER || v.API_CORRELATION_ID_HEADER;
  if (!/^[\w-]+$/.test(traceHeader))
    throw new ConfigError('API_CORRELATION_ID_HEADER: must be the name of a header');
  if (!/^\/[\w./~-]*$/.test(v.PROMETHEUS_METRICS_PATH))
    throw new ConfigError('PROMETHEUS_METRICS_PATH: must be a path such as /prometheus/metrics');
  if (!/^[a-zA-Z_]\w*$/.test(v.PROMETHEUS_NAMESPACE))
    throw new ConfigError('PROMETHEUS_NAMESPACE: must be the beginning of the name of a metric');
  return {
    account,
    timeoutMs: v.API_TIMEOUT,
    bodyLimitBytes: v.API_BODY_LIMIT,
    rootPath,
    traceHeader,
    basicAuth: readBasicAuth(v, account),
    downloadFrom: {
      variable: 'API_DOWNLOAD_FROM_ALLOW_LIST',
      allow: v.API_DOWNLOAD_FROM_ALLOW_LIST,
      deny: v.API_DOWNLOAD_FROM_DENY_LIST,
      isOff: v.API_DISABLE_DOWNLOAD_FROM,
      maxRetries: v.API_DOWNLOAD_FROM_MAX_RETRY,
    },
    chromium: {
      variable: 'CHROMIUM_ALLOW_LIST',
      // A list that every URL matches.
      allow:
        v.CHROMIUM_ALLOW_PRIVATE_IPS && v.CHROMIUM_ALLOW_LIST.length === 0 ? ['.'] : v.CHROMIUM_ALLOW_LIST,
      deny: v.CHROMIUM_DENY_LIST,
      areRoutesOff: v.CHROMIUM_DISABLE_ROUTES,
      isJavaScriptOff: v.CHROMIUM_DISABLE_JAVASCRIPT,
    },
    libreOffice: { areRoutesOff: v.LIBREOFFICE_DISABLE_ROUTES },
    pdfEngines: { areRoutesOff: v.PDFENGINES_DISABLE_ROUTES },
    webhook: {
      variable: 'WEBHOOK_ALLOW_LIST',
      allow: v.WEBHOOK_ALLOW_LIST,
      deny: v.WEBHOOK_DENY_LIST,
      isOff: v.WEBHOOK_DISABLE,
      isSynchronous: v.WEBHOOK_ENABLE_SYNC_MODE,
      maxRetries: v.WEBHOOK_MAX_RETRY,
      minWaitMs: v.WEBHOOK_RETRY_MIN_WAIT,
      maxWaitMs: v.WEBHOOK_RETRY_MAX_WAIT,
      timeoutMs: v.WEBHOOK_CLIENT_TIMEOUT,
      // As in Gotenberg, the other lists apply to this URL too.
      errors: {
        variable: 'WEBHOOK_ERROR_ALLOW_LIST',
        allow: v.WEBHOOK_ERROR_ALLOW_LIST.length > 0 ? v.WEBHOOK_ERROR_ALLOW_LIST : v.WEBHOOK_ALLOW_LIST,
        deny: [...v.WEBHOOK_ERROR_DENY_LIST, ...v.WEBHOOK_DENY_LIST],
      },
    },
    metrics: {
      isOff: v.PROMETHEUS_DISABLE_COLLECT,
      path: v.PROMETHEUS_METRICS_PATH,
      namespace: v.PROMETHEUS_NAMESPACE,
    },
    hasDebugRoute: v.API_ENABLE_DEBUG_ROUTE,
    hasDebugData: v.GOTENBERG_BUILD_DEBUG_DATA,
    unlogged: readUnlogged(v),
    texts,
    ignored,
  };
}

/** Returns the paths of the routes without telemetry. */
function readUnlogged(v: ReturnType<typeof readVariables>['variables']): readonly string[] {
  const routes: [isOff: boolean, ...paths: string[]][] = [
    [v.API_DISABLE_DEBUG_ROUTE_TELEMETRY, 'debug'],
    [v.API_DISABLE_HEALTH_CHECK_ROUTE_TELEMETRY, 'health'],
    [v.API_DISABLE_ROOT_ROUTE_TELEMETRY, '', 'favicon.ico'],
    [v.API_DISABLE_VERSION_ROUTE_TELEMETRY, 'version'],
    [v.PROMETHEUS_DISABLE_ROUTE_TELEMETRY, v.PROMETHEUS_METRICS_PATH.slice(1)],
  ];
  return routes.flatMap(([isOff, ...paths]) => (isOff ? paths.map((path) => v.API_ROOT_PATH + path) : []));
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
      'API_ENABLE_BASIC_AUTH: needs GOTENBERG_ACCOUNT (plugins.gotenberg.account), to which requests with this password belong',
    );
  return { username, password };
}
