import { Type } from '@sinclair/typebox';
import { LOG_FORMATS, LOG_LEVELS } from './log.ts';
import { WebhookSettings } from './webhooks/settings.ts';

/** The minimum length of `PLATEN_SECRET`. */
export const MIN_SECRET_LENGTH = 16;

const MAX_RETENTION_DAYS = 36_500;

const S3Endpoint = Type.String({
  pattern: '^https?://[^/@?#\\s]+/?$',
  expected: 'a URL without path or credentials, such as https://s3.eu-west-3.amazonaws.com',
});
const Printable = Type.String({ pattern: '^[!-~]+$', expected: 'printable characters without spaces' });

/** The environment variables of the core and their valid values. */
export const EnvSchema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PUBLIC_URL: Type.Optional(
    Type.String({ pattern: '^https?://[^/\\s]+', expected: 'a URL that begins with http:// or https://' }),
  ),
  DATA_DIR: Type.String({ minLength: 1, default: './data' }),
  MONGODB_URL: Type.Optional(
    Type.String({
      pattern: '^mongodb(\\+srv)?://[^/]',
      expected: 'a URL such as mongodb://user:password@host:27017/database',
    }),
  ),
  PLATEN_SECRET: Type.Optional(Type.String({ minLength: MIN_SECRET_LENGTH })),
  PLATEN_CONFIG: Type.Optional(Type.String({ minLength: 1 })),
  PLATEN_PLUGINS: Type.Optional(
    Type.String({
      pattern: '^\\s*-[a-z-]+\\s*(,\\s*-[a-z-]+\\s*)*$',
      expected: 'plugins to switch off, such as "-ai,-marketplace"',
    }),
  ),
  S3_ENDPOINT: Type.Optional(S3Endpoint),
  S3_PUBLIC_ENDPOINT: Type.Optional(S3Endpoint),
  S3_REGION: Type.Optional(Type.String({ minLength: 1 })),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,253}$',
      expected: 'the name of a bucket (letters, digits, full stops, hyphens and underscores) without a path',
    }),
  ),
  S3_PREFIX: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]*$',
      expected:
        'a prefix of object keys, such as "platen/" (letters, digits, full stops, hyphens, underscores and slashes)',
    }),
  ),
  S3_ACCESS_KEY_ID: Type.Optional(Printable),
  S3_SECRET_ACCESS_KEY: Type.Optional(Printable),
  EGRESS_ALLOW: Type.String({ default: '' }),
  RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      expected: `a whole number of days from 1 to ${MAX_RETENTION_DAYS}`,
    }),
  ),
  AUDIT_DAYS: Type.Integer({
    default: 365,
    minimum: 1,
    maximum: MAX_RETENTION_DAYS,
    expected: `a whole number of days from 1 to ${MAX_RETENTION_DAYS}`,
  }),
  BODY_MEMORY_MB: Type.Integer({
    default: 600,
    // One account may use half of this memory, which must hold the largest body that a route accepts.
    minimum: 320,
    maximum: 100_000,
    expected: 'a whole number of megabytes, at least 320',
  }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    expected: 'the number of reverse proxies in front of the service (0 to 10)',
  }),
  LOG_LEVEL: Type.Union(
    LOG_LEVELS.map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  LOG_FORMAT: Type.Optional(Type.Union(LOG_FORMATS.map((format) => Type.Literal(format)))),
  DRAIN_TIMEOUT_MS: Type.Integer({ minimum: 0, default: 30_000 }),
  DRAIN_DELAY_MS: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
});

/** The names of all environment variables that the core reads; plugins declare theirs in `Plugin.env`. */
export const ENV_NAMES: readonly string[] = Object.keys(EnvSchema.properties);

const PlanSchema = Type.Object(
  {
    requestsPerSecond: Type.Optional(Type.Integer({ minimum: 1 })),
    testRequestsPerSecond: Type.Optional(Type.Integer({ minimum: 1 })),
    monthlyLimit: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
    concurrency: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        expected: 'a whole number of at least 1, or null for no limit',
      }),
    ),
    retentionDays: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS }), Type.Null()], {
        expected: `a whole number of days from 1 to ${MAX_RETENTION_DAYS}, or null to keep results`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** The content of `platen.config.json`. The schema of each plugin checks the plugin's own object. */
export const FileSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    plugins: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())])),
    ),
    plans: Type.Optional(
      Type.Partial(
        Type.Object(
          { free: PlanSchema, starter: PlanSchema, pro: PlanSchema, enterprise: PlanSchema },
          { additionalProperties: false },
        ),
      ),
    ),
    webhooks: WebhookSettings,
  },
  { additionalProperties: false },
);
