import { ConfigError, type AuthenticationScheme, type PublicRoutes } from '../../src/plugin.ts';
import type { AccessTokens } from '../studio/contract.ts';

/** The header in which a person of several accounts names one. */
const ACCOUNT_HEADER = 'platen-account';
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';
/** A JWT. API keys have no dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Accepts access tokens of an authorization server, and tells clients where to get them (RFC 9728). */
export interface Authorization {
  /** The URL of the metadata. */
  metadataUrl: string;
  scheme: AuthenticationScheme;
  mount(publicRoutes: PublicRoutes): void;
}

/**
 * Creates the authorization by access tokens of an issuer, which must be the identity provider of the
 * studio, because the studio knows the accounts and roles of its persons. Returns `undefined` without an
 * issuer.
 * @throws {ConfigError}
 */
export function createAuthorization(
  issuer: string | undefined,
  {
    publicUrl,
    accessTokens,
  }: {
    publicUrl: string | undefined;
    accessTokens: AccessTokens | undefined;
  },
): Authorization | undefined {
  if (issuer === undefined) return undefined;
  if (accessTokens?.issuer !== issuer)
    throw new ConfigError(
      'plugins.mcp.issuer: must be the issuer of plugins.studio.oidc, which knows the persons',
    );
  if (publicUrl === undefined)
    throw new ConfigError('plugins.mcp.issuer: needs PUBLIC_URL, for which access tokens are made');
  const resource = `${publicUrl}/mcp`;
  return {
    metadataUrl: `${publicUrl}${METADATA_PATH}`,
    scheme: {
      name: 'mcp access token',
      async authenticate({ headers }) {
        const [scheme, token = '', ...rest] = headers.get('authorization')?.trim().split(/ +/) ?? [];
        if (scheme?.toLowerCase() !== 'bearer' || rest.length > 0 || !JWT.test(token)) return undefined;
        const accountId = headers.get(ACCOUNT_HEADER) ?? undefined;
        return accessTokens.identify(token, { resource, accountId });
      },
    },
    mount(publicRoutes) {
      const metadata = {
        resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Platen',
        resource_documentation: `${publicUrl}/docs/agents.md`,
      };
      publicRoutes.get(
        METADATA_PATH,
        { scope: 'public', hidden: true, summary: 'Describe how agents get access tokens (RFC 9728)' },
        () => metadata,
      );
    },
  };
}
