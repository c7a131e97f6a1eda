import packageJson from '../package.json' with { type: 'json' };
import type { Accounts } from './accounts/accounts.ts';
import { assemble } from './assembly.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { recordCommand } from './audit/command.ts';
import { ConfigError, type Config } from './config.ts';
import { messageOf } from './errors.ts';
import { watchEventLoop } from './event-loop-delay.ts';
import { createApp } from './http/app.ts';
import { createApiKeyScheme } from './http/authenticate.ts';
import { BodyMemory } from './http/body/body-memory.ts';
import { LargeBodyTurns } from './http/body/large-body-turns.ts';
import type { HealthCheck } from './http/operations.ts';
import type { Phase } from './http/pipeline.ts';
import { ConcurrencyLimit } from './http/concurrency-limit.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { newId } from './ids.ts';
import { createLog, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { StoreUnavailableError } from './store/store.ts';
import { workContext } from './work-context.ts';

export interface Service {
  /** The URL at which it can be reached on this machine, without a trailing slash. */
  url: string;
  /**
   * The API key that is created when the embedded database has no accounts. It is shown once and stored only
   * as a hash.
   */
  firstKey: string | undefined;
  metrics: Metrics;
  /** The checks of its parts, such as `browser`. */
  health: Readonly<Record<string, HealthCheck>>;
  /** Returns the lines that the plugins print when the service is ready. */
  greet(): Promise<readonly string[]>;
  /** Stops accepting work, waits for running work within the drain limit, and releases all resources. */
  close(): Promise<void>;
}

/** Starts a service and listens. @throws {ConfigError} for an invalid setting */
export async function startService(
  config: Config,
  log: Log = createLog({ level: config.logLevel, format: config.logFormat }),
): Promise<Service> {
  let url = '';
  let phase: Phase = 'serving';
  await using opened = new AsyncDisposableStack();
  const {
    accounts,
    audit,
    files,
    deletions,
    orphans,
    jobs,
    fileOwners,
    idempotency,
    links,
    makeLimiter,
    metrics,
    quota,
    registry,
    reserve,
    routes,
    tags,
    webhooks,
    health,
  } = opened.use(
    await assemble(config, log, () => config.publicUrl ?? workContext.getStore()?.origin ?? url),
  );
  opened.use(watchEventLoop(metrics));
  const app = createApp({
    version: packageJson.version,
    routes,
    tags,
    webhooks,
    publicUrl: config.publicUrl,
    errors: registry.errors,
    bodyKinds: registry.bodyKinds,
    authentication: [createApiKeyScheme(accounts), ...registry.authentication],
    rateLimits: createRateLimits(config.plans, makeLimiter),
    files,
    fileOwners,
    links,
    health,
    metrics,
    log,
    bodyMemory: new BodyMemory({ totalBytes: config.bodyMemoryBytes }),
    largeBodies: new LargeBodyTurns(),
    concurrency: new ConcurrencyLimit({ plans: config.plans }),
    quota,
    audit,
    idempotency: { leases: idempotency, files, fileOwners, errors: registry.errors },
    trustedProxies: config.trustedProxies,
    isDescribed: !config.isShortLived,
    phase: () => phase,
  });
  // A plugin may create an account when it starts.
  const isNew = config.database.kind === 'sqlite' && (await accounts.isEmpty());
  await registry.start();
  await jobs.start();
  opened.defer(() => jobs.stop(0));
  if (reserve) {
    reserve.start();
    opened.defer(() => reserve.stop());
  }
  deletions.start();
  opened.defer(() => deletions.stop());
  orphans.start();
  opened.defer(() => orphans.stop());
  const server = listen(app, config);
  url = `http://${reachableHost(config.host)}:${server.port}`;
  if (config.publicUrl === undefined && !config.s3 && !isLoopback(config.host))
    log.warn('PUBLIC_URL is not set: links begin with the host that each request names');
  opened.defer(async () => {
    phase = 'leaving';
    const jobsEnded = jobs
      .stop(config.drainDelayMs + config.drainTimeoutMs)
      .catch((error: unknown) => log.error({ err: error }, 'stopping the jobs failed'));
    await Bun.sleep(config.drainDelayMs);
    phase = 'draining';
    await Promise.all([jobsEnded, stopWithin(server, config.drainTimeoutMs, log)]);
  });

  const firstKey = isNew ? await createFirstKey(accounts, audit) : undefined;
  const release = opened.move();
  const greet = () =>
    registry.greet(url).catch((error: unknown) => {
      // The lines of plugins may store a sign-in link, for which a full or read-only disk has no room.
      if (!(error instanceof StoreUnavailableError)) throw error;
      log.warn({ err: error }, 'the plugins could not prepare their lines for the operator');
      return [];
    });
  return { url, firstKey, metrics, health, greet, close: () => release.disposeAsync() };
}

/**
 * Returns the host for a URL of the service on this machine: a wildcard address becomes the loopback address.
 */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '0') return '127.0.0.1';
  if (/^[0:]+$/.test(host)) return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

type Server = NonNullable<ReturnType<typeof createApp>['server']>;

function listen(app: ReturnType<typeof createApp>, { port, host }: Config): Server {
  try {
    // By default, Elysia shares the port: a second service would start and receive part of the requests.
    app.listen({ port, hostname: host, reusePort: false });
  } catch (error) {
    throw new ConfigError(`HOST, PORT: cannot listen on ${host}:${port} (${messageOf(error)})`);
  }
  if (!app.server) throw new Error('the HTTP server did not start');
  return app.server;
}

/**
 * The time without pending requests after which the remaining connections are closed. In this time, the last
 * responses are sent.
 */
const QUIET_MS = 1_000;
const CHECK_INTERVAL_MS = 100;

/**
 * Waits for running requests and closes their connections after the limit. Connections without a request are
 * closed earlier: if a request was rejected before its body arrived, Bun waits for the rest of the body,
 * which many clients never send.
 */
async function stopWithin(server: Server, limitMs: number, log: Log): Promise<void> {
  const timer = setTimeout(() => {
    log.warn({ pending: server.pendingRequests }, 'requests were aborted at the end of the drain limit');
    void server.stop(true);
  }, limitMs);
  let quietMs = 0;
  const watch = setInterval(() => {
    quietMs = server.pendingRequests === 0 ? quietMs + CHECK_INTERVAL_MS : 0;
    if (quietMs >= QUIET_MS) void server.stop(true);
  }, CHECK_INTERVAL_MS);
  await server.stop(false);
  clearTimeout(timer);
  clearInterval(watch);
}

async function createFirstKey(accounts: Accounts, audit: AuditLog): Promise<string> {
  const id = newId('acct_');
  const command = 'platen serve';
  const creation = { account: id, action: 'account.created', target: id } as const;
  const account = await recordCommand(audit, { command, changes: [creation] }, () =>
    accounts.findOrCreate({ id, email: 'admin@localhost', plan: 'enterprise' }),
  );
  const changes = [{ account: account.id, action: 'key.created' }] as const;
  const { key } = await recordCommand(
    audit,
    { command, changes },
    () => accounts.createKey(account, 'first start'),
    { targetOf: ({ record }) => record.id },
  );
  return key;
}
