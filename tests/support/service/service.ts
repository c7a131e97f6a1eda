import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../../../src/accounts/accounts.ts';
import type { KeyLimits } from '../../../src/accounts/key-limits.ts';
import type { PlanName } from '../../../src/accounts/plans.ts';
import { loadConfig } from '../../../src/config.ts';
import type { Metrics } from '../../../src/metrics.ts';
import { startService } from '../../../src/service.ts';
import { openAccounts, openState } from '../../../src/state.ts';
import { FONT_SETTINGS } from '../fonts/fonts.ts';
import { untilResponse } from './in-time.ts';
import { s3Server } from './s3-server.ts';
import { mongoServer } from './servers.ts';
import { isThorough, onMongoAndS3 } from '../suite.ts';

export { onMongoAndS3 };

/** The settings of a test's service that differ from the defaults. */
export interface TestSettings {
  env?: Record<string, string>;
  /** The content of `platen.config.json`. */
  config?: { plugins?: Record<string, unknown>; [name: string]: unknown };
}

/**
 * Returns the settings of a separate deployment on the MongoDB and S3 test servers.
 * @throws when they are missing.
 */
export async function serversEnv(): Promise<Record<string, string>> {
  const [mongo, s3] = [await mongoServer(), await s3Server()];
  if (!mongo || !s3) throw new Error('there is no MongoDB or no S3 server; the reason is above');
  return { MONGODB_URL: mongo.url, PLATEN_SECRET: 'a secret of the tests', ...s3.env };
}

/** A response that has been read. `body` is the parsed JSON, or `undefined` for a response without a body. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
  body: any;
}

async function createKey(accounts: Accounts, owner: { email: string; plan: PlanName }): Promise<string> {
  return (await accounts.createKey(await accounts.findOrCreate(owner), 'test')).key;
}

/**
 * Lets the browser start with the first document, because many services with their own settings print
 * nothing. Settings of the rendering are left alone: within a short deadline, no browser may have to start.
 */
function withBrowserOnDemand(settings: TestSettings): TestSettings {
  const { env = {}, config } = settings;
  const plugins = config?.plugins ?? {};
  const hasOwn = config !== undefined || Object.keys(env).length > 0;
  const isRendering =
    'render' in plugins || Object.keys(env).some((name) => /^(?:RENDER|CHROMIUM)_/.test(name));
  if (!hasOwn || isRendering) return settings;
  return { env, config: { ...config, plugins: { ...plugins, render: { warmUp: false } } } };
}

/**
 * Hides LibreOffice from the tests of `npm test`, which give the same result where it is not installed, and
 * take less time. Its own tests are thorough.
 */
function withoutOffice(settings: TestSettings): TestSettings {
  const { config } = settings;
  if (isThorough || (config?.plugins && 'office' in config.plugins)) return settings;
  const office = { path: '/nowhere/soffice' };
  return { ...settings, config: { ...config, plugins: { ...config?.plugins, office } } };
}

/**
 * Returns the environment that gives documents almost the time limit of a test, unless the settings have a
 * limit of their own: on a busy machine, a large document needs more than the default of 30 s.
 */
function patientRendering({ env = {}, config }: TestSettings): Record<string, string> {
  const hasOwn =
    'RENDER_TIMEOUT_MS' in env || JSON.stringify(config?.plugins?.render ?? {}).includes('timeoutMs');
  return hasOwn ? {} : { RENDER_TIMEOUT_MS: '55000' };
}

/** A service for tests, on a free port. Disposing of it also deletes its data directory. */
export class TestService implements AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  /** The environment in which a command works on the data of this service. */
  readonly env: Record<string, string>;
  readonly accounts: Accounts;
  readonly metrics: Metrics;
  readonly #close: () => Promise<void>;

  private constructor(parts: {
    url: string;
    key: string;
    dataDir: string;
    env: Record<string, string>;
    accounts: Accounts;
    metrics: Metrics;
    close: () => Promise<void>;
  }) {
    this.url = parts.url;
    this.key = parts.key;
    this.dataDir = parts.dataDir;
    this.env = parts.env;
    this.accounts = parts.accounts;
    this.metrics = parts.metrics;
    this.#close = parts.close;
  }

  static async start(settings: TestSettings = {}): Promise<TestService> {
    const { env = {}, config } = withoutOffice(withBrowserOnDemand(settings));
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
    if (config) await writeFile(join(dataDir, 'platen.config.json'), JSON.stringify(config));
    const ownEnv = { DATA_DIR: dataDir, ...(onMongoAndS3 && (await serversEnv())), ...env };
    const defaults = { PORT: '0', LOG_LEVEL: 'silent', ...FONT_SETTINGS, ...patientRendering(settings) };
    const loaded = loadConfig({
      env: { PATH: process.env['PATH'], ...defaults, ...ownEnv },
      cwd: dataDir,
    });
    try {
      const service = await startService(loaded);
      const { store } = await openState(loaded);
      const close = async () => {
        await service.close();
        await store.close();
        await rm(dataDir, { recursive: true, force: true });
      };
      const accounts = await openAccounts(loaded, store);
      // Only the embedded store gets a first key.
      const key =
        service.firstKey ?? (await createKey(accounts, { email: 'admin@localhost', plan: 'enterprise' }));
      const { url, metrics } = service;
      return new TestService({ url, key, dataDir, env: ownEnv, accounts, metrics, close });
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Returns this service with the key of a new account in place of the first key. */
  async forNewAccount(): Promise<TestService> {
    const { url, dataDir, env, accounts, metrics } = this;
    const key = await this.newKey();
    return new TestService({ url, key, dataDir, env, accounts, metrics, close: this.#close });
  }

  /** Creates an account and returns a key of it. */
  async newKey(plan: PlanName = 'enterprise', email = `${crypto.randomUUID()}@example.com`): Promise<string> {
    return createKey(this.accounts, { email, plan });
  }

  /** Creates a key of the account of this service's key. */
  async newKeyOfAccount(limits: Partial<KeyLimits>): Promise<string> {
    const owner = await this.accounts.authenticate(this.key);
    if (!owner) throw new Error('the key of this service is not valid');
    return (await this.accounts.createKey(owner.account, 'limited', { limits })).key;
  }

  /**
   * Sends a request with the key of this service, with another key, or without a key (`null`). Sends it again
   * if the response says that the service is overloaded, as on a busy machine.
   */
  request(
    method: string,
    path: string,
    options: { body?: unknown; key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    return untilResponse(
      () => this.#request(method, path, options),
      ({ body }) => body?.error?.message !== 'the service is overloaded; retry the request',
    );
  }

  async #request(
    method: string,
    path: string,
    options: { body?: unknown; key?: string | null; headers?: Record<string, string> },
  ): Promise<ApiResponse> {
    const { body, key = this.key, headers = {} } = options;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** Posts JSON and returns the response with its body unread. */
  send(
    path: string,
    body: unknown,
    options: { key?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { key = this.key, headers, signal } = options;
    return fetch(this.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  get(path: string, key?: string | null): Promise<ApiResponse> {
    return this.request('GET', path, key === undefined ? {} : { key });
  }

  post(path: string, body: unknown, key?: string | null): Promise<ApiResponse> {
    return this.request('POST', path, key === undefined ? { body } : { body, key });
  }

  /** Makes a PDF and downloads it. */
  async pdf(body: object): Promise<Uint8Array> {
    const response = await this.post('/v1/generate', body);
    if (response.status !== 200)
      throw new Error(`generate responded with ${response.status}: ${JSON.stringify(response.body)}`);
    if (response.body.data) return Buffer.from(response.body.data, 'base64');
    return this.download(response.body.url);
  }

  async download(url: string): Promise<Uint8Array> {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
    return response.bytes();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
