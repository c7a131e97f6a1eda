/**
 * The public plugin contract: the only module of the service that plugins import. Plugin packages import it
 * as `platen/plugin`.
 *
 * A plugin is a declaration (name, requirements, configuration, collections, errors) with a `setup` function.
 * `setup` adds routes to `context.routes` and returns the plugin's service. A plugin package need not depend
 * on this module: it may export a plain object of the same shape. All capabilities of Platen are plugins. A
 * plugin that is off is never imported.
 *
 * The service sets plugins up one after another, each after the plugins that it requires or uses. It starts
 * them in the same order and stops them in reverse order.
 * @module
 */
import type { Static, TObject } from '@sinclair/typebox';
import type { AccountData } from './account-data.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Administration } from './administration.ts';
import type { Account, Accounts } from './accounts/accounts.ts';
import type { Quota } from './accounts/quota.ts';
import type { Deletions } from './deletions.ts';
import type { AllowList } from './egress/destination.ts';
import type { EgressGuard } from './egress/guard.ts';
import type { ErrorCatalogue, ErrorSpec } from './errors.ts';
import type { EventBus } from './event-bus.ts';
import type { FileStore } from './files/files.ts';
import type { FindFilesInUse, IsFileOwner } from './files/orphans.ts';
import type { AuthenticationScheme, Identity } from './http/authenticate.ts';
import type { BodyKind, StreamedBodyKind } from './http/body/body-kind.ts';
import type { WebhookSpec } from './http/openapi-webhooks.ts';
import type { HealthCheck } from './http/operations.ts';
import type { Protocol } from './http/protocol.ts';
import type { PublicRoutes, Routes } from './http/routes.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Collection, Document } from './store/store.ts';
import type { Sealer } from './sealer.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { WebhookType } from './webhooks/delivery.ts';
import type { DeliveryLog, Webhooks } from './webhooks/webhooks.ts';

/**
 * Services by plugin name. A plugin adds its own:
 * `declare module 'platen/plugin' { interface Services { render: RenderService } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Services {}

/** The name of a plugin's service. */
type ServiceName = keyof Services & string;

/** The collections of a plugin, keyed by their names in `context.collections`. */
type CollectionSpecs = Readonly<Record<string, { readonly name: string; readonly documentType?: Document }>>;

type OpenCollections<C> = {
  [K in keyof C]: C[K] extends { readonly documentType?: infer T extends Document } ? Collection<T> : never;
};

/** The services and settings that a plugin receives. */
export interface PluginContext<Config, Specs, Requires extends ServiceName, Uses extends ServiceName> {
  config: Config;
  /** The services of the plugins in `requires` and of those in `uses` that are on. */
  services: Pick<Services, Requires> & { [N in Uses]: Services[N] | undefined };
  collections: OpenCollections<Specs>;
  /** Finds accounts, for authentication schemes. */
  accounts: Pick<Accounts, 'get' | 'findByEmail'>;
  /**
   * Returns the account and the limits of an API key, for authentication schemes that read the key from
   * another place than the header `Authorization: Bearer`.
   * @throws {AppError} UNAUTHORIZED for a key that is malformed, unknown, expired or revoked
   */
  readonly identifyByKey: (key: string) => Promise<Identity>;
  /** Manages all accounts and reads the state of the service, for plugins that operators use. */
  administration: Administration;
  /** Stores files, such as PDFs and assets. */
  files: FileStore;
  /** Deletes records with their files, now or at the end of their lifetime. */
  deletions: Deletions;
  /** Reads the audit log, and records what no route does. Routes name their action in `audit`. */
  auditLog: AuditLog;
  /** Runs background jobs, which survive a restart. */
  jobs: Jobs;
  /** Sends signed messages to URLs of callers. Messages are stored before they are sent. */
  webhooks: Webhooks;
  /** The messages of the last 30 days. */
  deliveries: DeliveryLog;
  /** Runs code that parses callers' content in separate processes. */
  sandbox: Sandbox;
  /** Sends requests to addresses that callers choose. */
  egress: EgressGuard;
  /**
   * Opens a separate egress guard for hosts that the operator configures, such as an AI provider. The guard
   * allows exact `host:port` entries regardless of their address; a `Set` of them may change later. Documents
   * and webhooks never use it. Call this function in `setup`; the service closes the guard.
   */
  readonly openEgress: (allow: readonly string[] | AllowList) => Promise<EgressGuard>;
  /**
   * Encrypts and hashes secrets that the plugin stores. The key is derived from PLATEN_SECRET and differs
   * between plugins.
   */
  sealer: Sealer;
  /** The error codes of the service with their status, for plugins that report errors without a response. */
  errors: Pick<ErrorCatalogue, 'get'>;
  /** Delivers events between plugins. */
  events: EventBus;
  /** Counts PDFs against the monthly limit of their account. */
  quota: Quota;
  metrics: Metrics;
  log: Log;
  /**
   * Routes that require an account, identified by an API key or another authentication scheme; handlers
   * receive the `account`.
   */
  routes: Routes;
  /** Routes without authentication, rate-limited by IP address. */
  publicRoutes: PublicRoutes;
  /**
   * Returns tables for routes that serve the clients of another API: errors, authentication and response
   * headers are those of the protocol. Call it once for each protocol.
   */
  readonly serve: (protocol: Protocol) => { routes: Routes; publicRoutes: PublicRoutes };
}

/** The result of `setup`. */
export interface PluginInstance {
  /** The service that other plugins use as `services.<name>`. */
  service?: unknown;
  /** Starts work. Called after all plugins are set up. */
  start?(): Promise<void> | void;
  /** Stops accepting work and finishes running work. */
  stop?(): Promise<void> | void;
  /**
   * Authentication schemes for all routes that require an account. They are tried after the API key, in the
   * order of setup.
   */
  authentication?: readonly AuthenticationScheme[];
  /**
   * The data that the plugin stores for accounts. `platen accounts export` writes it, and
   * `platen accounts delete` erases it. Plugins are erased in reverse order of setup, so that a plugin's data
   * is erased before the data of the plugins that it requires.
   */
  accountData?: readonly AccountData[];
  /**
   * Returns those of the given files that a record of the plugin names. Look them up with an index. A plugin
   * that stores results or assets needs this function: a daily sweep deletes files that are older than 30
   * days, whose links have expired, if their ids begin with `file_` or `asset_` and no plugin names them.
   */
  filesInUse?: FindFilesInUse;
  /**
   * Tells whether a file belongs to an account, so that the account's API keys open the file at
   * `/files/<id>`. Look it up with an index. Has no effect without `filesInUse`.
   */
  isFileOwner?: IsFileOwner;
  /**
   * Checks for `/readyz`, by name. The service is not ready while a check rejects or takes longer than four
   * seconds.
   */
  health?: Readonly<Record<string, HealthCheck>>;
  /**
   * Returns lines that `npm start` prints when the service is ready. `url` is the URL of the service on this
   * machine.
   */
  greet?(url: string): Promise<readonly string[]>;
  /**
   * Additional checks for `platen doctor`, by name, of recommended parts without which the service can start,
   * such as fonts.
   */
  diagnose?: Readonly<Record<string, HealthCheck>>;
}

/** A plugin, as the default export of its module. Write it with {@link definePlugin}. */
interface Plugin<
  Config extends TObject = TObject,
  Specs extends CollectionSpecs = CollectionSpecs,
  Requires extends ServiceName = never,
  Uses extends ServiceName = never,
> {
  /** The name of the folder, the service and the configuration key, in lower case with hyphens. */
  name: string;
  /** The tag of the plugin's routes in the API documentation. The default is the name. */
  title?: string;
  /** One sentence for the API documentation. */
  description?: string;
  /**
   * The file URL of a guide in Markdown, which the service serves: `new URL('./README.md', import.meta.url)`.
   */
  guide?: URL;
  /** Plugins that must be on. If one is missing, startup fails with an error that names both plugins. */
  requires?: readonly Requires[];
  /**
   * Optional plugins. `context.services` has the services of those that are on. Import only their types, or
   * values with `import()`.
   */
  uses?: readonly Uses[];
  /**
   * The schema of the plugin's object in `platen.config.json`. Every property must be optional or have a
   * default.
   */
  config?: Config;
  /**
   * Environment variables that set properties of `config`: `{ RENDER_CONCURRENCY: 'concurrency' }`. They
   * override the file.
   */
  env?: Readonly<Record<string, string>>;
  /** The collections that the plugin stores its records in. */
  collections?: Specs;
  /** The webhook messages that the plugin sends, by type. Only declared types can be sent. */
  webhooks?: Readonly<Record<WebhookType, WebhookSpec>>;
  /** Error codes that the plugin adds to the catalogue. */
  errors?: Readonly<Record<string, ErrorSpec>>;
  /** Kinds of request bodies that the plugin adds. The routes of all plugins may use them. */
  bodyKinds?: readonly (BodyKind | StreamedBodyKind)[];
  /** Modules that every sandbox process imports when it starts, which makes their first task faster. */
  sandboxModules?: readonly URL[];
  /** Creates the plugin's service and mounts its routes. Called once, before any plugin starts. */
  setup(
    context: PluginContext<Static<Config>, Specs, Requires, Uses>,
  ): Promise<PluginInstance> | PluginInstance;
}

/** Returns the plugin unchanged; provides types for its declaration. */
export function definePlugin<
  Config extends TObject,
  const Specs extends CollectionSpecs,
  Requires extends ServiceName = never,
  Uses extends ServiceName = never,
>(plugin: Plugin<Config, Specs, Requires, Uses>): Plugin<Config, Specs, Requires, Uses> {
  return plugin;
}

// Schemas of configuration, requests and responses.
export { Type, type Static, type TSchema } from '@sinclair/typebox';
export { CountedText } from './http/counted-text.ts';
export { fieldGroup } from './http/field-group.ts';
export { nullable } from './http/nullable.ts';
export { Timestamp } from './http/timestamp.ts';
export { createValidator } from './http/validate.ts';
export { WebhookUrl } from './webhooks/receiver-url.ts';
export { ConfigError } from './config.ts';

// Errors.
export { AppError, invalid, messageOf, notFound, type ErrorCodes, type ErrorDetail } from './errors.ts';

// Routes, paging and authentication.
export type {
  AccountInput,
  BodyValue,
  PublicRoutes,
  RouteBody,
  RouteInput,
  Routes,
  RouteSpec,
} from './http/routes.ts';
export { pageOf, pageQuery, presentPage } from './http/paging.ts';
export { readTimeRange } from './http/time-range.ts';
export { addRecordRoutes } from './http/record-routes.ts';
export { sendFile } from './http/send-file.ts';
export type { AuthenticationScheme } from './http/authenticate.ts';
export type { Protocol } from './http/protocol.ts';

// Request bodies and large texts.
export { isBlankField } from './blank-field.ts';
export type { BodyKind, StreamedBodyKind } from './http/body/body-kind.ts';
export { FileInput, isRawFile, type FileValue } from './json/file-input.ts';
export { LongText } from './json/long-text.ts';
export { jsonOrMultipart } from './http/body/multipart-body.ts';
export { readFormParts } from './http/body/form-parts.ts';
export { RawJson, RawObject } from './json/raw-json.ts';
export { parseJson } from './http/body/read-json.ts';
export { decodeText, encodeText } from './sliced-text.ts';

// Records: collections, ids, deletion, and the data of accounts.
export {
  DuplicateKeyError,
  StoreUnavailableError,
  type Collection,
  type CollectionSpec,
  type JsonValue,
} from './store/store.ts';
export { findPage, mapListed, type Listed, type Page } from './store/find-page.ts';
export { insertMissing } from './store/insert-missing.ts';
export { scan } from './store/scan.ts';
export { newId } from './ids.ts';
export { DELETION_DELAY_MS, type Deletions } from './deletions.ts';
export { ownedRecords, type AccountData } from './account-data.ts';
export { UnsealError, type Sealer } from './sealer.ts';

// Stored files.
export { rememberStored } from './files/stored-bytes.ts';
export { FileNotFoundError, FilesUnavailableError, LINK_LIFETIME_MS, type FileStore } from './files/files.ts';
export { fileTypeOf, newFileId, withExtension } from './files/media-type.ts';

// Accounts, plans and usage.
export type { Account };
export { SCOPES } from './accounts/scopes.ts';
export { presentKeyLimits, readKeyLimits } from './accounts/key-limits.ts';
export { KeyFields } from './http/key-fields.ts';
export type { Administration } from './administration.ts';
export type { Outcome } from './accounts/quota.ts';
export type { Quota };

// The audit log.
export type { AuditLog };

// Jobs, events and webhooks.
export type { EventBus };
export type { DeliveryLog, Webhooks };

// The sandbox and other processes.
export type { Sandbox, TaskClient, TaskResult } from './sandbox/sandbox.ts';
export { explainTaskFailure } from './sandbox/explain-failure.ts';

// Scheduling: fair queues, time slices and time limits.
export { FairQueue } from './fair-queue.ts';
export { TimeSlice, yieldToEventLoop } from './time-slice.ts';
export { workContext } from './work-context.ts';

// Outgoing requests, the log and metrics.
export type { EgressGuard, Log, Metrics };
export { readBounded } from './read-bounded.ts';
