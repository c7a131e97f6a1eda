import { isAbsolute, resolve } from 'node:path';
import type { TObject, TSchema } from '@sinclair/typebox';
import type { AccountData } from './account-data.ts';
import { ConfigError, checkSettings, readText, type Config } from './config.ts';
import { ErrorCatalogue, messageOf, NameTakenError } from './errors.ts';
import { SCOPES } from './accounts/scopes.ts';
import type { AuthenticationScheme } from './http/authenticate.ts';
import type { BodyKind, StreamedBodyKind } from './http/body/body-kind.ts';
import { multipartBody } from './http/body/multipart-body.ts';
import type { FileOwners } from './files/orphans.ts';
import { jsonBody } from './http/body/read-json.ts';
import type { HealthCheck } from './http/operations.ts';
import type { Tag } from './http/openapi.ts';
import type { DocumentedWebhook } from './http/openapi-webhooks.ts';
import type { Protocol } from './http/protocol.ts';
import { SESSION_SCOPES } from './http/route-scope.ts';
import { RouteTable, type PublicRoutes, type RouteDefinition, type Routes } from './http/routes.ts';
import { Type, type definePlugin, type PluginInstance } from './plugin.ts';
import { Sealer } from './sealer.ts';
import type { Collection, Document, Store } from './store/store.ts';
import type { WebhookType } from './webhooks/delivery.ts';
import { Registrations, type Names } from './registrations.ts';

type AnyPlugin = Omit<ReturnType<typeof definePlugin>, 'setup' | 'requires' | 'uses'> & {
  requires?: readonly string[];
  uses?: readonly string[];
  setup(context: unknown): Promise<PluginInstance> | PluginInstance;
};

/** Imports a plugin's module, whose default export is the plugin. */
export type PluginLoader = () => Promise<{ default: unknown }>;

/** The part of the plugin context that is the same for all plugins. */
export interface SharedContext {
  store: Store;
  fileOwners: FileOwners;
  [part: string]: unknown;
}

/** A plugin that is on and its section of the configuration file. */
export interface ResolvedPlugin {
  plugin: AnyPlugin;
  /** Its position in the documentation. Built-in plugins come first, in the order of `plugins/index.ts`. */
  rank: number;
  settings: Readonly<Record<string, unknown>>;
}

/** The plugins after their setup, in the order of their requirements. */
export interface Registry {
  /** The services of the plugins, by name. */
  services: Readonly<Record<string, unknown>>;
  routes: readonly RouteDefinition[];
  /** Ordered by importance. */
  tags: readonly Tag[];
  webhooks: readonly DocumentedWebhook[];
  /** The error codes of the core and of the plugins. */
  errors: ErrorCatalogue;
  /** The kinds of request bodies by name: `json`, `multipart`, and those of the plugins. */
  bodyKinds: ReadonlyMap<string, BodyKind | StreamedBodyKind>;
  /** The authentication schemes of the plugins. */
  authentication: readonly AuthenticationScheme[];
  /** The data that the plugins store for accounts. */
  accountData: readonly AccountData[];
  health: Readonly<Record<string, HealthCheck>>;
  /** Additional checks for `platen doctor`. */
  diagnose: Readonly<Record<string, HealthCheck>>;
  /** Returns the lines of all plugins that `npm start` prints. */
  greet(url: string): Promise<readonly string[]>;
  start(): Promise<void>;
  /** Stops all plugins in reverse order, even if one of them fails; then throws the first failure. */
  stop(): Promise<void>;
}

/**
 * Resolves the plugins that are on: the built-in plugins, and import specifiers (a package, or a path
 * relative to the configuration file). Plugins that are off are never imported.
 * @throws {ConfigError} for a plugin that is unknown or cannot be loaded, for a name that two plugins have,
 * and for a missing or circular requirement, with the names of the plugins
 */
export async function resolvePlugins(
  builtIns: Readonly<Record<string, PluginLoader>>,
  config: Config,
): Promise<ResolvedPlugin[]> {
  const names = new Set([...Object.keys(builtIns), ...Object.keys(config.plugins)]);
  const resolved: ResolvedPlugin[] = [];
  for (const name of names) {
    const settings = config.plugins[name] ?? true;
    if (settings === false) {
      if (!builtIns[name]) mustExist(name, builtIns, config.configDir);
      continue;
    }
    const load: PluginLoader = builtIns[name] ?? (async () => import(toSpecifier(name, config.configDir)));
    const plugin = checkPlugin(name, await load().catch((cause: unknown) => refuse(name, cause)));
    if (resolved.some((other) => other.plugin.name === plugin.name)) {
      throw new ConfigError(`plugins.${name}: another plugin already has the name "${plugin.name}"`);
    }
    resolved.push({ plugin, rank: resolved.length, settings: settings === true ? {} : settings });
  }
  return orderByRequirements(resolved);
}

/**
 * Sets plugins up in the given order: configuration, collections, then `setup`.
 * @param core the names that plugins cannot register, because the core has them
 * @throws {ConfigError} for an invalid setting, and for a name that is already registered
 */
export async function setUpPlugins(
  resolved: readonly ResolvedPlugin[],
  { config, shared, core }: { config: Config; shared: SharedContext; core: Names },
): Promise<Registry> {
  const services: Record<string, unknown> = {};
  const routes: RouteDefinition[] = [];
  const instances: PluginInstance[] = [];
  const accountData: AccountData[] = [];
  const errors = new ErrorCatalogue();
  const bodyKinds = new Map<string, BodyKind | StreamedBodyKind>(
    [jsonBody, multipartBody].map((kind) => [kind.name, kind]),
  );
  const taken = new Registrations(core);
  const setUp = async ({ plugin, settings }: ResolvedPlugin): Promise<void> => {
    errors.register(plugin.errors ?? {});
    taken.add(plugin.name, {
      'body kind': plugin.bodyKinds?.map(({ name }) => name),
      'webhook type': Object.keys(plugin.webhooks ?? {}),
    });
    for (const kind of plugin.bodyKinds ?? []) bodyKinds.set(kind.name, kind);
    const instance = await plugin.setup({
      ...shared,
      errors,
      sealer: new Sealer(config.deriveKey(`plugin ${plugin.name}`)),
      config: readPluginConfig(plugin, settings, config),
      services: pick(services, [...(plugin.requires ?? []), ...(plugin.uses ?? [])]),
      collections: await openCollections(shared.store, plugin),
      ...tablesOf(routes, titleOf(plugin)),
      serve: (protocol: Protocol) => tablesOf(routes, titleOf(plugin), protocol),
    });
    taken.add(plugin.name, {
      'authentication scheme': instance.authentication?.map(({ name }) => name),
      'kind of account data': instance.accountData?.map(({ name }) => name),
      check: [...Object.keys(instance.health ?? {}), ...Object.keys(instance.diagnose ?? {})],
    });
    accountData.push(...(instance.accountData ?? []));
    if (instance.filesInUse)
      shared.fileOwners.register(plugin.name, instance.filesInUse, instance.isFileOwner);
    services[plugin.name] = instance.service;
    instances.push(instance);
  };
  for (const entry of resolved)
    await setUp(entry).catch((error: unknown) => {
      if (!(error instanceof NameTakenError)) throw error;
      throw new ConfigError(`the plugin "${entry.plugin.name}": ${error.message}`, { cause: error });
    });
  requireScopes(routes);
  requireAuditChoices(routes);
  requireBodyKinds(routes, bodyKinds);
  const ranked = resolved.toSorted((a, b) => a.rank - b.rank);
  return {
    routes,
    errors,
    bodyKinds,
    authentication: instances.flatMap(({ authentication }) => authentication ?? []),
    services,
    accountData,
    tags: ranked.map(({ plugin }) => ({
      name: titleOf(plugin),
      description: plugin.description ?? '',
      guide: plugin.guide,
    })),
    webhooks: ranked.flatMap(({ plugin }) =>
      Object.entries(plugin.webhooks ?? {}).map(([type, spec]) => ({
        ...spec,
        type: type as WebhookType,
        tag: titleOf(plugin),
      })),
    ),
    health: Object.fromEntries(instances.flatMap(({ health }) => Object.entries(health ?? {}))),
    diagnose: Object.fromEntries(instances.flatMap(({ diagnose }) => Object.entries(diagnose ?? {}))),
    async greet(url) {
      const lines: string[] = [];
      for (const instance of instances) lines.push(...((await instance.greet?.(url)) ?? []));
      return lines;
    },
    async start() {
      for (const instance of instances) await instance.start?.();
    },
    async stop() {
      const failures: unknown[] = [];
      for (const instance of instances.toReversed()) {
        try {
          await instance.stop?.();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Returns the tables to which a plugin adds its routes. */
function tablesOf(
  definitions: RouteDefinition[],
  tag: string,
  protocol?: Protocol,
): { routes: Routes; publicRoutes: PublicRoutes } {
  return {
    routes: new RouteTable(definitions, { tag, protocol, access: 'key' }),
    publicRoutes: new RouteTable(definitions, { tag, protocol, access: 'public' }),
  };
}

function titleOf({ title, name }: AnyPlugin): string {
  return title ?? name;
}

function toSpecifier(name: string, configDir: string): string {
  return name.startsWith('.') || isAbsolute(name)
    ? resolve(configDir, name)
    : import.meta.resolve(name, configDir);
}

/** Rejects the misspelt name of a plugin to switch off. Without this check, the plugin would stay on. */
function mustExist(name: string, builtIns: object, configDir: string): void {
  try {
    toSpecifier(name, configDir);
  } catch (cause) {
    const known = Object.keys(builtIns).join(', ');
    throw new ConfigError(`plugins.${name}: unknown plugin; the built-in plugins are ${known}`, {
      cause,
    });
  }
}

function refuse(name: string, cause: unknown): never {
  throw new ConfigError(`plugins.${name}: cannot be loaded (${messageOf(cause).split('\n')[0]})`);
}

function checkPlugin(name: string, module: { default: unknown }): AnyPlugin {
  const plugin = module.default as AnyPlugin | undefined;
  if (typeof plugin?.name !== 'string' || typeof plugin.setup !== 'function') {
    throw new ConfigError(
      `plugins.${name}: the default export of its module must have a name and a setup function`,
    );
  }
  return plugin;
}

function orderByRequirements(resolved: readonly ResolvedPlugin[]): ResolvedPlugin[] {
  const byName = new Map(resolved.map((entry) => [entry.plugin.name, entry]));
  const ordered = new Set<ResolvedPlugin>();
  const missing: string[] = [];
  const visit = (entry: ResolvedPlugin, path: readonly string[]) => {
    if (ordered.has(entry)) return;
    const { plugin } = entry;
    if (path.includes(plugin.name))
      throw new ConfigError(`circular plugin requirements: ${[...path, plugin.name].join(' -> ')}`);
    for (const requirement of plugin.requires ?? []) {
      const required = byName.get(requirement);
      if (required) visit(required, [...path, plugin.name]);
      else
        missing.push(
          `the plugin "${plugin.name}" requires the plugin "${requirement}", which is off or not installed`,
        );
    }
    for (const optional of plugin.uses ?? []) {
      const used = byName.get(optional);
      if (used) visit(used, [...path, plugin.name]);
    }
    ordered.add(entry);
  };
  for (const entry of resolved) visit(entry, []);
  if (missing.length > 0) throw new ConfigError(missing.join('; '));
  return [...ordered];
}

/**
 * Rejects routes whose scope is missing or unknown, or which have a setting of release 0.1.0. The types do
 * not prevent this in JavaScript.
 */
function requireScopes(routes: readonly RouteDefinition[]): void {
  for (const { method, path, tag, access, spec } of routes) {
    const known: readonly string[] = access === 'public' ? ['public'] : [...SCOPES, ...SESSION_SCOPES, 'any'];
    if (!known.includes(spec.scope))
      throw new ConfigError(
        `the plugin "${tag}": ${method.toUpperCase()} ${path} must name its scope: ${known.join(', ')}`,
      );
    // The name of the setting in release 0.1.0. Ignoring it would drop the confirmation.
    if ('outlastsSession' in spec)
      throw new ConfigError(
        `the plugin "${tag}": ${method.toUpperCase()} ${path} must have confirmation: 'required' instead of outlastsSession`,
      );
  }
}

const AUDIT_ACTION = /^[a-z][a-z_]*\.[a-z][a-z_]*$/;

/** Rejects routes that may change something and neither name an action of the audit log nor decline. */
function requireAuditChoices(routes: readonly RouteDefinition[]): void {
  for (const { method, path, tag, spec } of routes) {
    const { audit = method === 'get' ? null : undefined } = spec;
    if (audit !== null && !AUDIT_ACTION.test(audit ?? ''))
      throw new ConfigError(
        `the plugin "${tag}": ${method.toUpperCase()} ${path} must name its action for the audit log, such as "note.created", or null: audit`,
      );
  }
}

function requireBodyKinds(
  routes: readonly RouteDefinition[],
  bodyKinds: ReadonlyMap<string, BodyKind | StreamedBodyKind>,
): void {
  for (const { method, path, tag, spec } of routes)
    for (const { kind } of spec.bodies)
      if (!bodyKinds.has(kind))
        throw new ConfigError(
          `the plugin "${tag}": ${method.toUpperCase()} ${path} takes bodies of the kind "${kind}", which no plugin registers`,
        );
}

function readPluginConfig(
  plugin: AnyPlugin,
  settings: Readonly<Record<string, unknown>>,
  config: Config,
): unknown {
  const schema: TObject = plugin.config ?? Type.Object({}, { additionalProperties: false });
  const fromEnv: Record<string, unknown> = {};
  for (const [variable, property] of Object.entries(plugin.env ?? {})) {
    const text = config.env(variable);
    const setting = schema.properties[property] as TSchema;
    if (text !== undefined) fromEnv[property] = checkSettings(setting, readText(setting, text), variable);
  }
  return checkSettings(schema, { ...settings, ...fromEnv }, `plugins.${plugin.name}`);
}

async function openCollections(
  store: Store,
  plugin: AnyPlugin,
): Promise<Record<string, Collection<Document>>> {
  const opened: Record<string, Collection<Document>> = {};
  for (const [key, spec] of Object.entries(plugin.collections ?? {})) {
    opened[key] = await store.collection(spec);
  }
  return opened;
}

function pick(
  services: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, services[name]]));
}
