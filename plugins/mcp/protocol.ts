import type { AppError, AuthenticationScheme, PluginContext, Protocol } from '../../src/plugin.ts';
import type { Authorization } from './authorization.ts';
import { errorText } from './error-text.ts';

type IdentifyByKey = PluginContext<unknown, object, never, never>['identifyByKey'];

/** Error codes of JSON-RPC 2.0, and the one that MCP uses for faults of the transport. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const TRANSPORT_ERROR = -32_000;

/**
 * Creates the protocol of `/mcp`: an API key or an access token as Bearer token, and errors of JSON-RPC 2.0.
 * A response to a request without valid credentials names the metadata of the authorization (RFC 9728).
 */
export function createProtocol(
  identifyByKey: IdentifyByKey,
  authorization: Authorization | undefined,
): Protocol {
  return {
    name: 'MCP',
    prefixes: [],
    authentication: [...(authorization ? [authorization.scheme] : []), bearerScheme(identifyByKey)],
    presentError: (error, { status, request }) => ({
      status,
      headers: {
        'content-type': 'application/json',
        ...(status === 401 &&
          authorization && { 'www-authenticate': challenge(authorization, request.headers) }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: { code: codeOf(error, status), message: errorText(error) },
      }),
    }),
    documentation: { mediaType: 'application/json', errors: {}, security: {} },
  };
}

/** Writes the challenge of RFC 6750 with the parameter of RFC 9728. */
function challenge({ metadataUrl }: Authorization, headers: Headers): string {
  const error = headers.has('authorization') ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${metadataUrl}"`;
}

function bearerScheme(identifyByKey: IdentifyByKey): AuthenticationScheme {
  return {
    name: 'mcp key',
    async authenticate({ headers }) {
      const [scheme, key, ...rest] = headers.get('authorization')?.trim().split(/ +/) ?? [];
      if (scheme?.toLowerCase() !== 'bearer' || key === undefined || rest.length > 0) return undefined;
      return identifyByKey(key);
    },
  };
}

function codeOf({ code }: AppError, status: number): number {
  if (code === 'VALIDATION_ERROR') return INVALID_REQUEST;
  return status >= 500 ? INTERNAL_ERROR : TRANSPORT_ERROR;
}
