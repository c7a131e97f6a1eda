import { ConfigError, Type, type Static } from '../../../src/plugin.ts';
import { isLoopback } from '../sessions/origin.ts';

const printable = (maxLength: number) =>
  Type.String({ pattern: '^[!-~]+$', maxLength, expected: 'printable characters without spaces' });

/** The identity provider with which people may sign in. */
const OidcConfig = Type.Object(
  {
    issuer: Type.String({
      pattern: String.raw`^https?://[^/?#@\s]+(/[^?#\s]*)?$`,
      expected: 'the URL of the issuer, such as https://login.example.com',
      description: 'The issuer. Its discovery document names all other addresses.',
    }),
    clientId: printable(500),
    clientSecret: Type.Optional(printable(1_000)),
    allowedDomains: Type.Array(
      Type.String({ pattern: String.raw`^[a-z0-9-]+(\.[a-z0-9-]+)+$`, expected: 'a domain in lower case' }),
      { minItems: 1, maxItems: 100, description: 'The domains of the email addresses that may sign in.' },
    ),
    roleClaim: Type.Optional(printable(200)),
    createAccounts: Type.Boolean({
      default: false,
      description: 'Whether a person without an account gets one with the plan free.',
    }),
    name: Type.String({
      default: 'OpenID Connect',
      minLength: 1,
      maxLength: 50,
      description: 'The name of the identity provider on the sign-in page.',
    }),
  },
  { additionalProperties: false },
);

/** The configuration of the studio. */
export const studioConfig = Type.Object(
  { oidc: Type.Optional(OidcConfig), oidcClientSecret: Type.Optional(printable(1_000)) },
  { additionalProperties: false },
);

/** The environment variables for the settings. */
export const studioEnv = { STUDIO_OIDC_CLIENT_SECRET: 'oidcClientSecret' } as const;

/** The settings of the identity provider. */
export type OidcSettings = Static<typeof OidcConfig> & { clientSecret: string };

/**
 * Returns the settings of the identity provider; `undefined` without one.
 * @throws {ConfigError} for an issuer without TLS outside this machine, and without a client secret
 */
export function readOidc({ oidc, oidcClientSecret }: Static<typeof studioConfig>): OidcSettings | undefined {
  if (!oidc) return undefined;
  const issuer = URL.parse(oidc.issuer);
  if (!issuer) throw new ConfigError('plugins.studio.oidc.issuer: must be a URL');
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname))
    throw new ConfigError('plugins.studio.oidc.issuer: must begin with https://, except on this machine');
  const clientSecret = oidcClientSecret ?? oidc.clientSecret;
  if (clientSecret === undefined)
    throw new ConfigError('STUDIO_OIDC_CLIENT_SECRET: must be set too, or plugins.studio.oidc.clientSecret');
  return { ...oidc, clientSecret };
}

/** Returns the `host:port` of the issuer as an entry of an egress guard's allow list. */
export function hostOf({ issuer }: OidcSettings): string {
  const { hostname, port, protocol } = new URL(issuer);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
