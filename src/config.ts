import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { DEFAULT_PLANS, PLAN_NAMES, type Plan, type PlanName } from './accounts/plans.ts';
import { EnvSchema, FileSchema, MIN_SECRET_LENGTH } from './config-schema.ts';
import { parseAllowList } from './egress/destination.ts';
import { messageOf } from './errors.ts';
import type { S3Settings } from './files/s3-settings.ts';
import { explainJsonFault } from './json/json-fault.ts';
import { explainFault } from './explain-fault.ts';
import { randomBase62 } from './ids.ts';
import type { LOG_FORMATS, LOG_LEVELS } from './log.ts';
import type { WebhookSettings } from './webhooks/settings.ts';

/**
 * Thrown when a setting is invalid. The message is one sentence that names the setting and never contains a
 * secret.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The embedded database and its file, or a MongoDB deployment, whose URL may contain a password. */
export type DatabaseSettings = { kind: 'sqlite'; path: string } | { kind: 'mongodb'; url: string };

/** The validated settings of a service, with all defaults. */
export interface Config {
  port: number;
  host: string;
  /**
   * The URL at which callers reach the service, without a trailing slash; `undefined` means the origin of
   * each request.
   */
  publicUrl: string | undefined;
  dataDir: string;
  database: DatabaseSettings;
  /** The bucket for files; `undefined` means that files are stored in `dataDir`. */
  s3: S3Settings | undefined;
  /** Derives the key material for a purpose from `PLATEN_SECRET`. Different purposes get different keys. */
  deriveKey(purpose: string): string;
  egressAllow: readonly string[];
  /**
   * The number of reverse proxies in front of the service. That many entries of `X-Forwarded-For`, from the
   * end, are trusted.
   */
  trustedProxies: number;
  /** The memory limit for all large request bodies together. */
  bodyMemoryBytes: number;
  logLevel: (typeof LOG_LEVELS)[number];
  logFormat: (typeof LOG_FORMATS)[number];
  drainTimeoutMs: number;
  /**
   * How long after SIGTERM the service still accepts requests while `/readyz` returns 503, so that load
   * balancers stop sending requests first.
   */
  drainDelayMs: number;
  plans: Readonly<Record<PlanName, Plan>>;
  /**
   * The plugins section of the configuration file: `false` switches a plugin off, an object is its
   * configuration.
   */
  plugins: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;
  webhooks: WebhookSettings;
  /** How long new entries of the audit log are kept. */
  auditDays: number;
  /**
   * Whether the service runs for one command. Then it starts only the processes that it needs, does not
   * describe its API, and its database ends with it.
   */
  isShortLived: boolean;
  /** The folder to which paths in the configuration file are relative. */
  configDir: string;
  /** Returns the value of an environment variable of a plugin (see `Plugin.env`). */
  env(name: string): string | undefined;
}

/** Overrides the environment and working directory that {@link loadConfig} reads. */
export interface ConfigSources {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

/** The built-in plugins that the service of a command does without. */
const OFF_IN_COMMANDS = [
  'ai',
  'audit',
  'browserless',
  'gotenberg',
  'integrations',
  'keys',
  'marketplace',
  'mcp',
  'starters',
  'studio',
  'usage',
  'webhooks',
];
const UNLIMITED = 1_000_000;

/** Reads an environment variable for a command that has no settings; an empty one counts as absent. */
export function readEnv(name: string): string | undefined {
  return process.env[name] || undefined;
}

/**
 * Reads the environment and `platen.config.json`.
 * @throws {ConfigError} for the first invalid setting
 */
export function loadConfig({ env = process.env, cwd = process.cwd() }: ConfigSources = {}): Config {
  // An empty variable counts as unset.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value && name in EnvSchema.properties),
  );
  const settings = checkSettings(EnvSchema, readTexts(EnvSchema, given), '');
  const configPath = resolve(cwd, settings.PLATEN_CONFIG ?? 'platen.config.json');
  if (settings.PLATEN_CONFIG && !existsSync(configPath))
    throw new ConfigError(`PLATEN_CONFIG: the file ${configPath} does not exist`);
  const file = checkSettings(
    FileSchema,
    existsSync(configPath) ? readFile(configPath) : {},
    'platen.config.json',
  );
  const dataDir = resolve(cwd, settings.DATA_DIR);
  createDataDir(dataDir);
  const off = (settings.PLATEN_PLUGINS ?? '').split(',').map((entry) => entry.trim().slice(1));
  let secret = settings.PLATEN_SECRET;
  if (settings.MONGODB_URL && !secret)
    throw new ConfigError(
      `PLATEN_SECRET: is required with MONGODB_URL and must be the same for all replicas (at least ${MIN_SECRET_LENGTH} characters)`,
    );

  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ''),
    dataDir,
    database: settings.MONGODB_URL
      ? { kind: 'mongodb', url: settings.MONGODB_URL }
      : { kind: 'sqlite', path: join(dataDir, 'platen.sqlite') },
    s3: readS3(settings),
    deriveKey(purpose) {
      secret ??= keepSecret(dataDir);
      return createHmac('sha256', secret).update(purpose).digest('hex');
    },
    egressAllow: readEgressAllow(settings.EGRESS_ALLOW),
    trustedProxies: settings.TRUST_PROXY,
    bodyMemoryBytes: settings.BODY_MEMORY_MB * 1_000_000,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT ?? (process.stderr.isTTY ? 'pretty' : 'json'),
    drainTimeoutMs: settings.DRAIN_TIMEOUT_MS,
    drainDelayMs: settings.DRAIN_DELAY_MS,
    plans: mergePlans(file.plans ?? {}, settings.RETENTION_DAYS ?? null),
    plugins: { ...file.plugins, ...Object.fromEntries(off.filter(Boolean).map((name) => [name, false])) },
    webhooks: file.webhooks,
    auditDays: settings.AUDIT_DAYS,
    isShortLived: false,
    configDir: dirname(configPath),
    env: (name) => env[name] || undefined,
  };
}

/**
 * Returns the settings of a service that a command starts for itself. Its data is in `dataDir`, only this
 * machine reaches it, and its accounts have no limits. Of the settings of the core, it obeys `EGRESS_ALLOW`
 * only; plugins read their variables. `chromium` is a path in place of `CHROMIUM_PATH`.
 */
export function loadOwnConfig(
  dataDir: string,
  { chromium, withStarters = false }: { chromium?: string | undefined; withStarters?: boolean } = {},
): Config {
  const others = Object.entries(process.env).filter(([name]) => !(name in EnvSchema.properties));
  const off = OFF_IN_COMMANDS.filter((name) => !(withStarters && name === 'starters'));
  const config = loadConfig({
    env: {
      ...Object.fromEntries(others),
      EGRESS_ALLOW: process.env['EGRESS_ALLOW'],
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      DRAIN_TIMEOUT_MS: '0',
      PLATEN_PLUGINS: off.map((name) => `-${name}`).join(','),
      ...(chromium !== undefined && { CHROMIUM_PATH: chromium }),
    },
    cwd: dataDir,
  });
  const unlimited = {
    requestsPerSecond: UNLIMITED,
    monthlyLimit: null,
    concurrency: null,
    retentionDays: null,
  };
  const plans = Object.fromEntries(PLAN_NAMES.map((name) => [name, unlimited])) as Config['plans'];
  // The browser starts while the rest of the service does.
  const plugins = { ...config.plugins, render: { warmUp: 'background' } };
  return { ...config, plans, plugins, isShortLived: true };
}

/**
 * Converts the text of an environment variable to the type in its schema. Returns text that cannot be
 * converted unchanged.
 */
export function readText(schema: TSchema, text: string): unknown {
  if (schema['type'] === 'integer' && /^\d{1,15}$/.test(text)) return Number(text);
  if (schema['type'] === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function readTexts(
  schema: TObject,
  given: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const entries = Object.entries(given).map(([name, text = '']) => [
    name,
    readText(schema.properties[name] ?? schema, text),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Validates settings and fills in defaults. `where` precedes the name of the setting in error messages.
 * @throws {ConfigError}
 */
export function checkSettings<S extends TSchema>(schema: S, given: unknown, where: string): Static<S> {
  const value = Value.Default(schema, Value.Clone(given));
  const fault = Value.Errors(schema, value).First();
  if (!fault) return value;
  const { path, message } = explainFault(fault);
  throw new ConfigError(`${[where, path].filter(Boolean).join('.')}: ${message}`);
}

function readEgressAllow(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  try {
    parseAllowList(entries);
  } catch (error) {
    throw new ConfigError(`EGRESS_ALLOW: ${messageOf(error)}`);
  }
  return entries;
}

/**
 * Reads the S3 settings. Returns `undefined` when none are given.
 * @throws {ConfigError} when a required setting is missing
 */
function readS3(settings: Static<typeof EnvSchema>): S3Settings | undefined {
  if (!Object.keys(settings).some((name) => name.startsWith('S3_'))) return undefined;
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
    const missing = needed.filter((name) => !settings[name]).join(', ');
    throw new ConfigError(
      `${missing}: must be set too to store files in S3; to store files on disk, unset all S3_ variables`,
    );
  }
  return {
    endpoint: endpoint.replace(/\/$/, ''),
    publicEndpoint: (settings.S3_PUBLIC_ENDPOINT ?? endpoint).replace(/\/$/, ''),
    region: settings.S3_REGION ?? 'us-east-1',
    bucket,
    prefix: settings.S3_PREFIX ?? '',
    accessKeyId,
    secretAccessKey,
  };
}

function readFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${path} cannot be read (${codeOf(error)})`);
  }
  // Some editors write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${explainJsonFault(json, error)}`);
  }
}

function mergePlans(
  changes: NonNullable<Static<typeof FileSchema>['plans']>,
  retentionDays: number | null,
): Record<PlanName, Plan> {
  const merged = PLAN_NAMES.map((name) => [
    name,
    { ...DEFAULT_PLANS[name], retentionDays, ...changes[name] },
  ]);
  return Object.fromEntries(merged) as Record<PlanName, Plan>;
}

/** Reads the secret from the data directory, or creates it, so that keys and links survive a restart. */
function keepSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  // On a full or read-only disk, an existing secret is enough.
  if (!existsSync(path)) createSecret(dataDir, path);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < MIN_SECRET_LENGTH)
    throw new ConfigError(`DATA_DIR: the file ${path} is shorter than ${MIN_SECRET_LENGTH} characters`);
  return secret;
}

function createSecret(dataDir: string, path: string): void {
  const draft = `${path}.${randomBase62(8)}`;
  try {
    writeFileSync(draft, randomBase62(43), { mode: 0o600 });
    // Linking is atomic and fails if the file exists, so two processes that start at the same time read the
    // same secret.
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(dataDir, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates the data directory, readable by its owner only because it contains the secret and all documents.
 */
function createDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

function unwritable(dataDir: string, error: unknown): ConfigError {
  return new ConfigError(`DATA_DIR: ${dataDir} cannot be written (${codeOf(error)})`);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
