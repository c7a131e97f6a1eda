import packageJson from '../package.json' with { type: 'json' };
import { builtInPlugins } from '../plugins/index.ts';
import type { AccountData } from './account-data.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { StoredAuditLog } from './audit/audit-log.ts';
import { createErasure, type Erasure } from './accounts/erasure.ts';
import { Quota } from './accounts/quota.ts';
import { createAdministration } from './administration.ts';
import type { Config } from './config.ts';
import { DiskReserve } from './disk-reserve.ts';
import type { AllowList } from './egress/destination.ts';
import { createEgressGuard, type EgressGuard } from './egress/guard.ts';
import { EventBus } from './event-bus.ts';
import type { FileStore } from './files/files.ts';
import { openFileWrites } from './files/file-writes.ts';
import { FileOwners, openOrphanSweep, type OrphanSweep } from './files/orphans.ts';
import { openDeletions, type OpenDeletions } from './deletions.ts';
import { KeyLeases } from './idempotency/key-leases.ts';
import { createFileLinks, type FileLinks } from './http/file-links.ts';
import type { MakeLimiter } from './http/rate-limit.ts';
import { API_KEY_SCHEME, identifyByKey } from './http/authenticate.ts';
import type { HealthCheck } from './http/operations.ts';
import type { Tag } from './http/openapi.ts';
import type { DocumentedWebhook } from './http/openapi-webhooks.ts';
import type { RouteDefinition } from './http/routes.ts';
import { openJobs, type Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { resolvePlugins, setUpPlugins, type Registry } from './registry.ts';
import { withOwnCollections } from './store/own-collections.ts';
import { startSandbox } from './sandbox/sandbox.ts';
import { openAccounts, openAudit, openFiles, openState, openWebhookSecrets } from './state.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

/** All parts of a service except its HTTP server. */
export interface Assembly extends AsyncDisposable {
  accounts: Accounts;
  audit: StoredAuditLog;
  files: FileStore;
  fileOwners: FileOwners;
  idempotency: KeyLeases;
  /** The data of accounts in the core and in the plugins. */
  accountData: readonly AccountData[];
  erasure: Erasure;
  /** Not started. */
  deletions: OpenDeletions;
  /** Not started; `undefined` when neither the database nor the files are on the disk of this machine. */
  reserve: DiskReserve | undefined;
  /** Not started. */
  orphans: OrphanSweep;
  /** Not started. */
  jobs: Jobs;
  links: FileLinks;
  makeLimiter: MakeLimiter;
  metrics: Metrics;
  quota: Quota;
  registry: Registry;
  routes: readonly RouteDefinition[];
  tags: readonly Tag[];
  webhooks: readonly DocumentedWebhook[];
  /** The checks of `/readyz` and of `platen doctor`, by name. */
  health: Readonly<Record<string, HealthCheck>>;
}

/**
 * Opens the database, the file store, the sandbox, the egress guard and the plugins. If one of them fails,
 * those already open are closed. `baseUrl` is called when a link is created. Tests replace the functions that
 * open the database and the file store.
 * @throws {ConfigError} for an invalid setting
 */
export async function assemble(
  config: Config,
  log: Log,
  baseUrl: () => string,
  open = { state: openState, files: openFiles },
): Promise<Assembly> {
  await using opened = new AsyncDisposableStack();
  const plugins = await resolvePlugins(builtInPlugins, config);

  const usesDisk = config.database.kind === 'sqlite' || !config.s3;
  const reserve = usesDisk ? new DiskReserve(config.dataDir) : undefined;
  const { store: sharedStore, makeLimiter } = await open.state(config, reserve);
  opened.defer(() => sharedStore.close());
  const store = withOwnCollections(sharedStore);
  const accounts = await openAccounts(config, store);
  const audit = await openAudit(config, store, { unguarded: sharedStore, log });
  const quota = await Quota.open(store, config.plans);
  const links = createFileLinks(config.deriveKey('file-links'), baseUrl);
  const storedFiles = await open.files(config, links, reserve);
  if (config.database.kind === 'mongodb' && !config.s3)
    log.warn(
      'files are stored in DATA_DIR on this machine; other replicas cannot read them unless S3 is configured',
    );

  const metrics = createMetrics();
  const modules = plugins.flatMap(({ plugin }) => plugin.sandboxModules ?? []);
  const sandbox = await startSandbox({ log, metrics, modules, isOnDemand: config.isShortLived });
  opened.defer(() => sandbox.close());
  const egress = await createEgressGuard({ allow: config.egressAllow, log });
  opened.defer(() => egress.close());

  const pluginGuards: EgressGuard[] = [];
  opened.defer(() => Promise.all(pluginGuards.map((guard) => guard.close())).then(() => undefined));
  const openEgress = async (allow: readonly string[] | AllowList): Promise<EgressGuard> => {
    const guard = await createEgressGuard({ allow, log });
    pluginGuards.push(guard);
    return guard;
  };

  const concurrencyOf = async (accountId: string) => {
    const account = await accounts.get(accountId);
    return account && config.plans[account.plan].concurrency;
  };
  const jobs = await openJobs({ store, log, metrics, concurrencyOf });
  jobs.sweep('quota', () => quota.sweep());
  jobs.sweep('audit', () => audit.settle());

  const deletions = await openDeletions({ store, log });
  const fileOwners = new FileOwners();
  const orphans = await openOrphanSweep({ store, files: storedFiles, owners: fileOwners, log });
  const fileWrites = await openFileWrites({ store, files: storedFiles, owners: fileOwners, log });
  const { files } = fileWrites;
  jobs.sweep('file writes', () => fileWrites.settle());
  const idempotency = await KeyLeases.open(store, (purpose) => config.deriveKey(purpose), log);
  const secrets = await openWebhookSecrets(config, store);
  const webhooks = await openWebhooks({
    store,
    unguarded: sharedStore,
    jobs,
    egress,
    egressAllow: config.egressAllow,
    secrets,
    settings: config.webhooks,
    metrics,
    log,
  });
  opened.defer(() => webhooks.close());

  const administration = createAdministration({
    version: packageJson.version,
    publicUrl: config.publicUrl,
    plugins: plugins.map(({ plugin }) => plugin.name),
    plans: config.plans,
    isEmbedded: config.database.kind === 'sqlite',
    accounts,
    webhookSecrets: secrets,
    files,
    data: () => accountData,
    health: () => health,
    erasure: () => erasure,
  });
  const shared = {
    store,
    administration,
    accounts,
    identifyByKey: (key: string) => identifyByKey(accounts, key),
    auditLog: audit,
    files,
    jobs,
    webhooks,
    deliveries: webhooks,
    sandbox,
    egress,
    openEgress,
    quota,
    deletions,
    fileOwners,
    metrics,
    log,
    events: new EventBus(),
  };
  const coreData = [
    accounts.keyData,
    audit.accountData,
    quota.accountData,
    secrets.accountData,
    ...webhooks.accountData,
    ...idempotency.accountData,
    fileWrites.accountData,
  ];
  const coreHealth = {
    store: () => store.ping(),
    files: () => files.ping(),
    ...(reserve && { disk: async () => reserve.check() }),
    sandbox: () => sandbox.ping(),
    egress: () => egress.ping(),
  };
  const core = {
    'authentication scheme': [API_KEY_SCHEME],
    'kind of account data': coreData.map(({ name }) => name),
    check: Object.keys(coreHealth),
  };
  const registry = await setUpPlugins(plugins, { config, shared, core });
  opened.defer(() => registry.stop());
  webhooks.declare(registry.webhooks);
  const accountData = [...coreData, ...registry.accountData];
  const erasure = createErasure({ accounts, jobs, deletions, data: () => accountData });
  const health = { ...coreHealth, ...registry.health };
  const release = opened.move();
  return {
    accounts,
    audit,
    accountData,
    files,
    fileOwners,
    idempotency,
    deletions,
    erasure,
    orphans,
    jobs,
    links,
    makeLimiter,
    metrics,
    quota,
    registry,
    reserve,
    routes: registry.routes,
    tags: registry.tags,
    webhooks: registry.webhooks,
    health,
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/**
 * Returns the configuration with all built-in plugins on, because plugins that are off may have earlier data.
 */
export function withBuiltInPlugins(config: Config): Config {
  const plugins = Object.entries(config.plugins).filter(
    ([name, settings]) => settings !== false || !(name in builtInPlugins),
  );
  return { ...config, plugins: Object.fromEntries(plugins) };
}
