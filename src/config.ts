import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { DEFAULT_PLANS, PLAN_NAMES, type Plan, type PlanName } from './accounts/plans.ts';
import { EnvSchema, FileSchema, MIN_SECRET_LENGTH } from './config-schema.ts';
import { parseAllowList } from './egress/destination.ts';
import { messageOf } from './errors.ts';
import type { S3Settings } from './files/s3.ts';
import { explainFault } from './http/explain.ts';
import { randomBase62 } from './ids.ts';
import type { LOG_LEVELS } from './log.ts';
import type { WebhookSettings } from './webhooks/settings.ts';

/** Thrown when a setting is wrong. The message is one sentence that names the setting and never holds a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The settings of one service, validated, with every default filled in. */
export interface Config {
  port: number;
  host: string;
  /** Where callers reach the service, without a slash at the end; `undefined` is the address that it listens on. */
  publicUrl: string | undefined;
  dataDir: string;
  /** Where the state is; `undefined` is the embedded database in `dataDir`. It may hold a password. */
  mongodbUrl: string | undefined;
  /** Where files are kept; `undefined` is the data directory. */
  s3: S3Settings | undefined;
  /** Key material for one purpose, derived from `PLATEN_SECRET`: purposes never share a key. */
  deriveKey(purpose: string): string;
  egressAllow: readonly string[];
  /** How many reverse proxies stand in front: so many entries of `X-Forwarded-For`, from its end, are believed. */
  trustedProxies: number;
  /** What large request bodies may hold together. */
  bodyMemoryBytes: number;
  logLevel: (typeof LOG_LEVELS)[number];
  drainTimeoutMs: number;
  /** How long the service still answers after SIGTERM while `/readyz` says 503, so that balancers turn away first. */
  drainDelayMs: number;
  plans: Readonly<Record<PlanName, Plan>>;
  /** What the configuration file says of plugins: `false` is off, an object is the plugin's configuration. */
  plugins: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;
  webhooks: WebhookSettings;
  /** The folder against which paths in the configuration file are read. */
  configDir: string;
  /** The environment's text for a plugin's own variable (see `Plugin.env`). */
  env(name: string): string | undefined;
}

/** What {@link loadConfig} reads instead of the process's own surroundings. */
export interface ConfigSources {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

/**
 * Reads the environment and `platen.config.json`.
 * @throws {ConfigError} for the first setting that is wrong.
 */
export function loadConfig({ env = process.env, cwd = process.cwd() }: ConfigSources = {}): Config {
  // A variable that is set to nothing counts as unset.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value && name in EnvSchema.properties),
  );
  const settings = checkSettings(EnvSchema, readTexts(EnvSchema, given), '');
  const configPath = resolve(cwd, settings.PLATEN_CONFIG ?? 'platen.config.json');
  if (settings.PLATEN_CONFIG && !existsSync(configPath))
    throw new ConfigError('PLATEN_CONFIG names a file that does not exist');
  const file = checkSettings(
    FileSchema,
    existsSync(configPath) ? readFile(configPath) : {},
    'platen.config.json',
  );
  const dataDir = resolve(cwd, settings.DATA_DIR);
  makeDataDir(dataDir);
  const off = (settings.PLATEN_PLUGINS ?? '').split(',').map((entry) => entry.trim().slice(1));
  let secret = settings.PLATEN_SECRET;
  if (settings.MONGODB_URL && !secret)
    throw new ConfigError(
      `PLATEN_SECRET: must be set with MONGODB_URL, the same for all replicas (at least ${MIN_SECRET_LENGTH} characters)`,
    );

  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ''),
    dataDir,
    mongodbUrl: settings.MONGODB_URL,
    s3: readS3(settings),
    deriveKey(purpose) {
      secret ??= keepSecret(dataDir);
      return createHmac('sha256', secret).update(purpose).digest('hex');
    },
    egressAllow: readEgressAllow(settings.EGRESS_ALLOW),
    trustedProxies: settings.TRUST_PROXY,
    bodyMemoryBytes: settings.BODY_MEMORY_MB * 1_000_000,
    logLevel: settings.LOG_LEVEL,
    drainTimeoutMs: settings.DRAIN_TIMEOUT_MS,
    drainDelayMs: settings.DRAIN_DELAY_MS,
    plans: mergePlans(file.plans ?? {}),
    plugins: { ...file.plugins, ...Object.fromEntries(off.filter(Boolean).map((name) => [name, false])) },
    webhooks: file.webhooks,
    configDir: dirname(configPath),
    env: (name) => env[name] || undefined,
  };
}

/** Turns the text of a variable into what its schema takes; text that is no number or boolean stays and is then refused. */
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

/** Validates a value of the configuration file. `where` leads the name of the setting in the message. @throws {ConfigError} */
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

/** Reads where S3 is, or `undefined` when nothing says so. @throws {ConfigError} that names what is missing of a part. */
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
    throw new ConfigError(`${missing}: must be set too, for files to be kept in S3 (or unset all of S3_…)`);
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
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser quotes what it stumbled over, which may be a secret.
    throw new ConfigError(`${path} is not JSON: ${messageOf(error).replace(/"[^"]*"?|'[^']*'?/g, '…')}`);
  }
}

function mergePlans(changes: NonNullable<Static<typeof FileSchema>['plans']>): Record<PlanName, Plan> {
  const merged = PLAN_NAMES.map((name) => [name, { ...DEFAULT_PLANS[name], ...changes[name] }]);
  return Object.fromEntries(merged) as Record<PlanName, Plan>;
}

/** Reads the secret of the data directory, or makes it, so that keys and links outlive a restart. */
function keepSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  const draft = `${path}.${randomBase62(8)}`;
  try {
    writeFileSync(draft, randomBase62(43), { mode: 0o600 });
    // A link is made whole and only where there is none: of two processes that start at once, both read the same secret.
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(dataDir, error);
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < MIN_SECRET_LENGTH)
    throw new ConfigError(`DATA_DIR: the file ${path} is shorter than ${MIN_SECRET_LENGTH} characters`);
  return secret;
}

/** Makes the data directory, for its owner only: it holds the secret and all documents. */
function makeDataDir(dataDir: string): void {
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
