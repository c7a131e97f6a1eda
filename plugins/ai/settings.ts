import { ConfigError, Type, type Static } from '../../src/plugin.ts';

const URL_EXPECTED =
  'a URL that begins with http:// or https://, without user name, password, query or fragment, such as https://api.openai.com/v1';

/** The plugin's configuration. */
export const aiConfig = Type.Object(
  {
    provider: Type.Union([Type.Literal('openai'), Type.Literal('anthropic')], {
      default: 'openai',
      description: 'The interface that the provider speaks: chat completions, or messages.',
    }),
    baseUrl: Type.Optional(
      Type.String({
        pattern: String.raw`^https?://[^/?#@\s]+(/[^?#\s]*)?$`,
        expected: URL_EXPECTED,
        description: "Where the provider is; its own company's address when absent.",
      }),
    ),
    apiKey: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,1000}$', expected: 'a key of printable characters without spaces' }),
    ),
    model: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,200}$',
        expected: "the provider's name of a model, without spaces",
      }),
    ),
    timeoutMs: Type.Integer({
      minimum: 1_000,
      maximum: 60_000,
      default: 60_000,
      description: 'For both tries and all checks together.',
    }),
    maxTokens: Type.Integer({
      minimum: 1_000,
      maximum: 200_000,
      default: 8_192,
      description: 'The longest answer, for the messages interface, which must be told.',
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 8,
      description: 'Templates that are made at once; more get 429.',
    }),
  },
  { additionalProperties: false },
);

/** The environment variables of the settings. */
export const aiEnv = {
  AI_PROVIDER: 'provider',
  AI_BASE_URL: 'baseUrl',
  AI_API_KEY: 'apiKey',
  AI_MODEL: 'model',
} as const;

/** The plugin's settings as they were given. */
export type AiConfig = Static<typeof aiConfig>;

/** Where the provider is and how it is spoken to. */
export interface ProviderSettings {
  kind: AiConfig['provider'];
  /** Without a slash at the end. */
  baseUrl: string;
  /** `undefined` for a server that wants none. */
  apiKey: string | undefined;
  model: string;
  maxTokens: number;
}

const COMPANY_URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com' } as const;

/**
 * Reads where the provider is, or `undefined` when nothing says so.
 * @throws {ConfigError} that names what is missing of a part.
 */
export function readProvider(config: AiConfig): ProviderSettings | undefined {
  const { provider: kind, baseUrl, apiKey, model, maxTokens } = config;
  if (model === undefined && apiKey === undefined && baseUrl === undefined) return undefined;
  if (model === undefined)
    throw new ConfigError('AI_MODEL: must be set too, the name of the model that writes templates');
  if (apiKey === undefined && baseUrl === undefined)
    throw new ConfigError(
      'AI_API_KEY: must be set too (or AI_BASE_URL, for a server of your own that wants no key)',
    );
  const url = URL.parse(baseUrl ?? COMPANY_URLS[kind]);
  if (!url) throw new ConfigError(`AI_BASE_URL: must be ${URL_EXPECTED}`);
  return { kind, baseUrl: url.href.replace(/\/+$/, ''), apiKey, model, maxTokens };
}

/** Names the provider's host and port, as an entry of an egress guard's allow list. */
export function hostOf({ baseUrl }: ProviderSettings): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
