/**
 * The public plugin contract: the only module of the core that plugins import. Plugin packages import it as `platen/plugin`.
 *
 * A plugin is a declaration (name, requirements, configuration, collections, errors) and a `setup` function that adds its routes to
 * `context.routes` and returns its service. A plugin that does not depend on this package exports a plain object of the same shape and imports
 * nothing from here. The core has no capabilities of its own. A plugin that is off is never imported.
 * @module
 */
import type { Static, TObject } from '@sinclair/typebox';
import type { AccountData } from './account-data.ts';
import type { Administration } from './administration.ts';
import type { Account, Accounts } from './accounts/accounts.ts';
import type { Quota } from './accounts/quota.ts';
import type { Deletions } from './deletions.ts';
import type { EgressGuard } from './egress/guard.ts';
import type { ErrorSpec } from './errors.ts';
import type { EventBus } from './events.ts';
import type { FileStore } from './files/files.ts';
import type { FindFilesInUse, IsFileOwner } from './files/orphans.ts';
import type { AuthenticationScheme } from './http/authenticate.ts';
import type { BodyKind } from './http/body/body-kind.ts';
import type { WebhookSpec } from './http/openapi.ts';
import type { HealthCheck } from './http/operations.ts';
import type { PublicRoutes, Routes } from './http/routes.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import type { PdfFiles } from './pdf-files/pdf-files.ts';
import type { ReferenceResolver } from './pdf-files/references.ts';
import type { Metrics } from './metrics.ts';
import type { Collection, Document } from './store/store.ts';
import type { ResultPropertiesReader } from './result-record.ts';
import type { Sealer } from './sealer.ts';
import type { Sandbox, TaskClient } from './sandbox/sandbox.ts';
import type { WebhookType } from './webhooks/delivery.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Services by plugin name. A plugin adds its own: `declare module 'platen/plugin' { interface Services { render: RenderService } }`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Services {}

/** The name of a plugin's service. */
export type ServiceName = keyof Services & string;

/** The collections of a plugin, by the key under which the plugin uses them. */
export type CollectionSpecs = Readonly<
  Record<string, { readonly name: string; readonly documentType?: Document }>
>;

type OpenCollections<C> = {
  [K in keyof C]: C[K] extends { readonly documentType?: infer T extends Document } ? Collection<T> : never;
};

/** The tasks of `src/sandbox/handlebars.ts`, called in the sandbox. */
export type Handlebars = TaskClient<typeof import('./sandbox/handlebars.ts')>;

/** The services and settings that a plugin receives. */
export interface PluginContext<Config, Specs, Requires extends ServiceName, Uses extends ServiceName> {
  config: Config;
  /** The services of the plugins in `requires` and of those in `uses` that are on. */
  services: Pick<Services, Requires> & { [N in Uses]: Services[N] | undefined };
  collections: OpenCollections<Specs>;
  /** Finds accounts, for an authentication scheme. */
  accounts: Pick<Accounts, 'get' | 'findByEmail'>;
  /** Manages all accounts and reads the state of the service, for the plugins of operators. */
  administration: Administration;
  files: FileStore;
  /** Deletes records with their files, now or at the end of their lifetime. */
  deletions: Deletions;
  /** Reads the properties that callers give to results. */
  resultProperties: ResultPropertiesReader;
  /** Loads the PDFs of requests, and stores and delivers results. */
  pdfFiles: PdfFiles;
  /** Background jobs that survive a restart. */
  jobs: Jobs;
  /** Signed messages to URLs of callers, stored before they are sent. */
  webhooks: Webhooks;
  sandbox: Sandbox;
  /** Handlebars, in the sandbox. */
  handlebars: Handlebars;
  egress: EgressGuard;
  /**
   * Opens a separate egress guard for hosts that the operator configures, such as an AI provider. It allows exact `host:port` entries
   * regardless of their address. Documents and webhooks never use it. Call it in `setup`; it is closed with the service.
   */
  readonly openEgress: (allow: readonly string[]) => Promise<EgressGuard>;
  /** Encrypts and hashes secrets that the plugin stores. The key is derived from PLATEN_SECRET and differs between plugins. */
  sealer: Sealer;
  events: EventBus;
  quota: Quota;
  metrics: Metrics;
  log: Log;
  /** Routes that require an account, identified by an API key or another authentication scheme; handlers receive the `account`. */
  routes: Routes;
  /** Routes without authentication, rate-limited by IP address. */
  publicRoutes: PublicRoutes;
}

/** The result of `setup`. */
export interface PluginInstance {
  /** The service that other plugins use as `services.<name>`. */
  service?: unknown;
  /** Starts work, after every plugin is set up. */
  start?(): Promise<void> | void;
  /** Stops accepting work and finishes running work. Called in reverse order of `start`. */
  stop?(): Promise<void> | void;
  /** Authentication schemes for all routes that require an account. They are tried after the API key, in the order of the plugins. */
  authentication?: readonly AuthenticationScheme[];
  /** Finds the stored PDFs of ids in requests, by the prefix of the ids: `gen_`. */
  pdfReferences?: Readonly<Record<string, ReferenceResolver>>;
  /**
   * The data that the plugin stores for accounts. `platen accounts export` writes it, and `platen accounts delete` erases it, the data of later
   * plugins first.
   */
  accountData?: readonly AccountData[];
  /**
   * Returns the files of a list that the plugin's records name; look them up by an index. A file whose id begins with `file_` and that no
   * plugin names is deleted 30 days after it was stored, when its links have expired.
   */
  filesInUse?: FindFilesInUse;
  /** Tells whether a file belongs to an account, whose API key then opens it at `/files/<id>`. Look it up by an index. */
  isFileOwner?: IsFileOwner;
  /** Checks for `/readyz`, by name. A check that rejects or takes longer than four seconds is not ready. */
  health?: Readonly<Record<string, HealthCheck>>;
  /** Returns lines that `npm start` prints when the service is ready. `url` is its URL on this machine. */
  greet?(url: string): Promise<readonly string[]>;
  /** Additional checks for `platen doctor`: recommended parts, such as fonts, that the service can start without. */
  diagnose?: Readonly<Record<string, HealthCheck>>;
}

/** A plugin, as the default export of its module. Write it with {@link definePlugin}. */
export interface Plugin<
  Config extends TObject = TObject,
  Specs extends CollectionSpecs = CollectionSpecs,
  Requires extends ServiceName = never,
  Uses extends ServiceName = never,
> {
  /** The name of the folder, the service and the configuration key, in lower case with hyphens. */
  name: string;
  /** The tag of its routes in the API documentation. The default is the name. */
  title?: string;
  /** One sentence for the API documentation. */
  description?: string;
  /** The URL of a guide in Markdown, which the service serves: `new URL('./README.md', import.meta.url)`. */
  guide?: URL;
  /** Plugins that must be on. If one is missing, startup fails with an error that names both plugins. */
  requires?: readonly Requires[];
  /** Plugins that are used when they are on. Import only their types, or values with `import()` when the service is there. */
  uses?: readonly Uses[];
  /** The schema of the plugin's object in `platen.config.json`. Every property must be optional or have a default. */
  config?: Config;
  /** Environment variables that set a property of `config`: `{ RENDER_CONCURRENCY: 'concurrency' }`. They override the file. */
  env?: Readonly<Record<string, string>>;
  collections?: Specs;
  /** The webhook messages that the plugin sends, for the API documentation. */
  webhooks?: Readonly<Partial<Record<WebhookType, WebhookSpec>>>;
  /** Error codes that the plugin adds to the catalogue. */
  errors?: Readonly<Record<string, ErrorSpec>>;
  /** Kinds of request bodies that the plugin adds. The routes of all plugins may use them. */
  bodyKinds?: readonly BodyKind[];
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

/** A plugin of any type, as the registry handles it. */
export type AnyPlugin = Omit<Plugin, 'setup' | 'requires' | 'uses'> & {
  requires?: readonly string[];
  uses?: readonly string[];
  setup(context: unknown): Promise<PluginInstance> | PluginInstance;
};

export { Type, type Static, type TSchema } from '@sinclair/typebox';
export type { Administration } from './administration.ts';
export { ownedRecords, type AccountData, type ExportedRecord } from './account-data.ts';
export { checkSettings, ConfigError } from './config.ts';
export { AppError, invalid, messageOf, notFound, type ErrorCodes, type ErrorDetail } from './errors.ts';
export { FairQueue, type FairQueueOptions, type Resource, type Share, type Urgency } from './fair-queue.ts';
export { RecentUse } from './recent-use.ts';
export { FileNotFoundError, FilesUnavailableError, LINK_LIFETIME_MS, type FileStore } from './files/files.ts';
export {
  ASSET_FILE_TYPES,
  fileTypeOf,
  newFileId,
  withExtension,
  type AssetFileType,
  type ResultMediaType,
} from './files/media-type.ts';
export { AccessibleOption } from './document/accessible.ts';
export { runFormTask } from './document/draw-texts.ts';
export { documentFields } from './document/fields.ts';
export { attachmentSchemas, markSchemas, propertySchemas, type MarkPosition } from './document/finish.ts';
export { invoiceDetails } from './document/invoice-details.ts';
export { InvoiceData, InvoiceDocument, InvoiceProfileName } from './document/invoice.ts';
export { FormatName, GenerateOptions, HeaderFooter, WaitFor } from './document/options.ts';
export { findFormat, FORMAT_NAMES } from './document/paper-formats.ts';
export {
  INVOICE_LEVEL,
  levelOfOption,
  PdfaLevelName,
  whyNoAttachments,
  type PdfaLevel,
} from './document/pdfa-level.ts';
export {
  checkProtect,
  protectSchemas,
  requirePasswords,
  type ProtectionSetting,
} from './document/protect.ts';
export {
  checkSignature,
  MAX_SIDE_PT,
  SignatureLevel,
  SignatureOption,
  signatureSchemas,
  stampSchemas,
  type DocumentSigner,
  type SignatureSetting,
  type SignPdf,
} from './document/signature.ts';
export { escapeText, MAX_SNIPPET_BOXES, type SnippetBox } from './document/snippet-box.ts';
export { sourceFields, type SourceFields } from './document/source-fields.ts';
export { CATEGORIES, MAX_TEMPLATE_CHARACTERS, type Category } from './document/templates.ts';
export {
  MAX_CREDENTIALS_CHARACTERS,
  MAX_HEADERS,
  MAX_URL_CHARACTERS,
  urlFields,
} from './document/url-fields.ts';
export {
  DRAWN_PT,
  markBox,
  markOf,
  setupOf,
  textBox,
  type MarkSetup,
  type NameField,
  type WatermarkFields,
} from './document/watermark.ts';
export { newId, randomBase62 } from './ids.ts';
export { AnyCase } from './http/any-case.ts';
export { CountedText } from './http/counted-text.ts';
export { FileInput, isRawFile, type FileValue, type RawFile } from './http/body/file-input.ts';
export { LongText } from './http/body/long-text.ts';
export { jsonOrMultipart } from './http/body/multipart-body.ts';
export { RawJson, RawObject } from './http/body/raw-json.ts';
export { noteGarbage } from './large-garbage.ts';
export { parseJson, parseJsonAndFree } from './http/body/read-json.ts';
export { decodeText, encodeText } from './sliced-text.ts';
export { pageQuery, presentPage } from './http/paging.ts';
export {
  ONE_PDF_BODY_BYTES,
  OutputChoice,
  PdfAnswer,
  pdfAnswerProperties,
  PdfInput,
  pdfTaskLimits,
  unwrapTaskResult,
} from './pdf-output.ts';
export {
  isExpired,
  NO_PROPERTIES,
  presentResultProperties,
  referenceFilter,
  resultAnswerProperties,
  resultFields,
  type ResultProperties,
} from './result-record.ts';
export {
  createProof,
  presentOptionalProof,
  presentProof,
  ProofAnswer,
  proofExample,
  type Proof,
  type ProofStep,
  type Provenance,
} from './proof/proof.ts';
export {
  createClaimConfirmer,
  createClaimProver,
  createClaimReader,
  ProvenanceDraft,
  type ConfirmClaims,
  type ProveClaims,
  type ReadClaims,
} from './proof/provenance-draft.ts';
export { findPage, type PageQuery } from './store/find-page.ts';
export { chooseOutput, resultHeaders } from './pdf-files/pdf-files.ts';
export {
  createPageImages,
  PAGE_IMAGE_ROUTE,
  type PagedPdf,
  type SendPageImage,
} from './pdf-files/page-images.ts';
export { sendFile } from './http/send-file.ts';
export { insertMissing } from './store/insert-missing.ts';
export { scan, type Scan } from './store/scan.ts';
export {
  DuplicateKeyError,
  StoreUnavailableError,
  type Collection,
  type CollectionSpec,
  type Filter,
  type JsonValue,
} from './store/store.ts';
export { setNiceness, setSessionNiceness } from './sandbox/niceness.ts';
export { processorMs } from './sandbox/processor-time.ts';
export { residentBytes } from './sandbox/resident-memory.ts';
export { UnsealError, type Sealer } from './sealer.ts';
export { explainTaskFailure } from './sandbox/explain-failure.ts';
export { type TaskClient, type TaskResult, type Sandbox } from './sandbox/sandbox.ts';
export { TimeSlice, yieldToEventLoop } from './time-slice.ts';
export { presentDelivery } from './webhooks/present.ts';
export { WebhookSecretError } from './webhooks/secrets.ts';
export { WebhookUrl } from './webhooks/receiver-url.ts';
export { afterRunning } from './running-time.ts';
export { untilAborted, withTimeout } from './wait.ts';
export { workContext, type WorkContext } from './work-context.ts';
export { CLAIM_MS, type DeleteRecords, type Deletions } from './deletions.ts';
export type { ResultPropertiesReader } from './result-record.ts';
export type { Account, EgressGuard, EventBus, Jobs, Log, Metrics, Quota, Webhooks };
export type { WebhookMessage, WebhookType } from './webhooks/delivery.ts';
export type { JobOwner } from './jobs/job-document.ts';
export type { JobLimits } from './jobs/job-claims.ts';
export type { DueAt, JobQueue } from './jobs/job-queue.ts';
export type { JobSpec, RunAgain } from './jobs/jobs.ts';
export { RESTORE_MS, type ApiKey } from './accounts/accounts.ts';
export { PLAN_NAMES, type PlanName } from './accounts/plans.ts';
export { NOTHING } from './accounts/quota.ts';
export { presentUsage } from './accounts/usage-routes.ts';
export type { Outcome, Reservation, Reconciler } from './accounts/quota.ts';
export type { Events } from './events.ts';
export type { AuthenticationScheme, Identity } from './http/authenticate.ts';
export type { BodyKind, BodySpec, UnreadBody } from './http/body/body-kind.ts';
export type {
  AccountInput,
  BodyValue,
  PublicRoutes,
  RouteBody,
  RouteInput,
  Routes,
  RouteSpec,
} from './http/routes.ts';
export { createValidator } from './http/validate.ts';
export type { DeliveryRequest, MadePdf, PdfFiles } from './pdf-files/pdf-files.ts';
export type { LoadRequest, ReferencedFile, ReferenceResolver } from './pdf-files/references.ts';
