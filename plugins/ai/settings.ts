import { ConfigError, Type, type Static } from '../../src/plugin.ts';

const URL_EXPECTED =
  'a URL that begins with http:// or https:// and has no user name, password, query or fragment, such as https://api.openai.com/v1';

/** The plugin's configuration. */
export const aiConfig = Type.Object(
  {
    provider: Type.Union([Type.Literal('openai'), Type.Literal('anthropic')], {
      default: 'openai',
      description: "The provider's API: openai for Chat Completions, anthropic for Messages.",
    }),
    baseUrl: Type.Optional(
      Type.String({
        pattern: String.raw`^https?://[^/?#@\s]+(/[^?#\s]*)?$`,
        expected: URL_EXPECTED,
        description: 'The base URL of the API; the public address of OpenAI or Anthropic when absent.',
      }),
    ),
    apiKey: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,1000}$', expected: 'a key of printable characters without spaces' }),
    ),
    model: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,200}$',
        expected: "the provider's name for a model, without spaces",
      }),
    ),
    timeoutMs: Type.Integer({
      minimum: 1_000,
      maximum: 60_000,
      default: 60_000,
      description: 'The time limit for both attempts and all checks together.',
    }),
    maxTokens: Type.Integer({
      minimum: 1_000,
      maximum: 200_000,
      default: 8_192,
      description: 'The longest answer in tokens; the Messages API requires it.',
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 8,
      description: 'The number of templates that may be generated at once; further requests get 429.',
    }),
  },
  { additionalProperties: false },
);

/** The environment variables for the settings. */
export const aiEnv = {
  AI_PROVIDER: 'provider',
  AI_BASE_URL: 'baseUrl',
  AI_API_KEY: 'apiKey',
  AI_MODEL: 'model',
} as const;

type AiConfig = Static<typeof aiConfig>;

/** The address, API, key and model of the provider. */
export interface ProviderSettings {
  kind: AiConfig['provider'];
  /** Without a trailing slash. */
  baseUrl: string;
  /** `undefined` for a server that needs no key. */
  apiKey: string | undefined;
  model: string;
  maxTokens: number;
}

const COMPANY_URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com' } as const;

/**
 * Reads the provider's settings. Returns `undefined` when none are given.
 * @throws {ConfigError} when a required setting is missing.
 */
export function readProvider(config: AiConfig): ProviderSettings | undefined {
  const { provider: kind, baseUrl, apiKey, model, maxTokens } = config;
  if (model === undefined && apiKey === undefined && baseUrl === undefined) return undefined;
  if (model === undefined)
    throw new ConfigError('AI_MODEL: must be set too; it names the model that writes templates');
  if (apiKey === undefined && baseUrl === undefined)
    throw new ConfigError(
      'AI_API_KEY: must be set too; to use your own server without a key, set AI_BASE_URL instead',
    );
  const url = URL.parse(baseUrl ?? COMPANY_URLS[kind]);
  if (!url) throw new ConfigError(`AI_BASE_URL: must be ${URL_EXPECTED}`);
  return { kind, baseUrl: url.href.replace(/\/+$/, ''), apiKey, model, maxTokens };
}

/** Returns the provider's `host:port` as an entry of an egress guard's allow list. */
export function hostOf({ baseUrl }: ProviderSettings): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
