import type { JWTVerifyGetKey } from 'jose';
import type { Configuration, CustomFetchOptions } from 'openid-client';
import { AppError, messageOf, readBounded, type EgressGuard, type Log } from '../../../src/plugin.ts';
import type { OidcSettings } from './settings.ts';

const TIMEOUT_SECONDS = 10;
const MAX_RESPONSE_BYTES = 1_000_000;
/** After this time, the addresses of the provider are read again. Its keys have a cache of their own. */
const DISCOVERY_MS = 60 * 60_000;
/** A person who confirms their identity must have signed in to the provider within this time. */
const CONFIRMED_SECONDS = 300;

/** The secrets of one sign-in, known only to the browser that began it. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the person must sign in to the provider again. */
  isConfirmation: boolean;
}

/** The algorithms with which an access token may be signed. A shared secret is not among them. */
const TOKEN_ALGORITHMS = [
  ...['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`)),
  'EdDSA',
  'Ed25519',
];
/** The types of access tokens (RFC 9068), and the general type, which some providers write. */
const TOKEN_TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];
/** The library's errors about the response with the keys. All others are about the token. */
const PROVIDER_FAULTS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];
const MAX_TOKEN_CHARACTERS = 16_000;
const CLOCK_TOLERANCE_SECONDS = 30;

/** The claims of a verified ID token or access token. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string };

/** Thrown when the provider refuses a sign-in, or its response cannot be trusted. */
export class RejectedError extends Error {
  override name = 'RejectedError';
  /** The error code of the provider, such as `access_denied`. */
  readonly code: string | undefined;

  constructor(message: string, options: { cause: unknown; code?: string | undefined }) {
    super(message, options);
    this.code = options.code;
  }
}

/** Signs people in with the authorization code flow of OpenID Connect, with PKCE, a state and a nonce. */
export interface IdentityProvider {
  newAttempt(isConfirmation: boolean): Promise<Attempt>;
  /**
   * Returns the URL at which the person signs in.
   * @throws {AppError} UNAVAILABLE when the provider does not respond
   */
  signInUrl(attempt: Attempt, redirectUri: string): Promise<string>;
  /**
   * Redeems the code in the URL to which the provider sent the browser, and verifies the ID token.
   * @throws {RejectedError}; {AppError} UNAVAILABLE when the provider does not respond
   */
  redeem(attempt: Attempt, url: URL): Promise<Claims>;
  /**
   * Verifies an access token: a JWT that the provider signed for `resource`, the URL of the protected
   * resource (RFC 8707), and that has not expired.
   * @throws {RejectedError}; {AppError} UNAVAILABLE when the provider does not respond
   */
  verifyAccessToken(token: string, resource: string): Promise<Claims>;
}

export function createIdentityProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  { egress, log }: { egress: EgressGuard; log: Log },
): IdentityProvider {
  // The library is loaded on first use, because most processes never need it.
  const library = () => import('openid-client');
  let known: { configuration: Promise<Configuration>; until: number } | undefined;
  let keys: { url: string; get: JWTVerifyGetKey } | undefined;

  async function discover(): Promise<Configuration> {
    const client = await library();
    const isPlain = issuer.startsWith('http:');
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      {
        [client.customFetch]: fetchFromProvider,
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Without this, the library trusts an ID token because it came over TLS.
          client.enableNonRepudiationChecks,
          ...(isPlain ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    return configuration;
  }

  /** Sends a request of the library through the egress guard. Redirects are not followed. */
  async function fetchFromProvider(url: string, options: CustomFetchOptions): Promise<Response> {
    const { method, headers, body, signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000) } = options;
    const response = await egress.fetch(url, {
      method,
      headers,
      // The library sends forms.
      ...((typeof body === 'string' || body instanceof URLSearchParams) && { body: body.toString() }),
      redirect: 'manual',
      signal,
    });
    const content = await readBounded(response, { maxBytes: MAX_RESPONSE_BYTES, signal });
    if (!content)
      throw new Error(`the response of the identity provider has more than ${MAX_RESPONSE_BYTES} bytes`);
    return new Response(content.length > 0 ? new Uint8Array(content) : null, {
      status: response.status,
      headers: response.headers,
    });
  }

  async function configured(): Promise<Configuration> {
    if (!known || known.until < Date.now())
      known = { configuration: discover(), until: Date.now() + DISCOVERY_MS };
    try {
      return await known.configuration;
    } catch (error) {
      known = undefined;
      throw unavailable(error);
    }
  }

  function unavailable(error: unknown): AppError {
    log.warn({ reason: reasonsOf(error) }, 'the identity provider cannot be used');
    return new AppError('UNAVAILABLE', 'the identity provider does not respond; try again later', {
      retryAfterSeconds: 10,
    });
  }

  /** Returns the keys. The library reads them again for an unknown key, at most every 30 s. */
  async function signingKeys(): Promise<JWTVerifyGetKey> {
    const { jwks_uri: url } = (await configured()).serverMetadata();
    if (url === undefined) throw unavailable(new Error('the discovery document has no jwks_uri'));
    if (keys?.url === url) return keys.get;
    const { createRemoteJWKSet, customFetch } = await import('jose');
    keys = {
      url,
      get: createRemoteJWKSet(new URL(url), {
        [customFetch]: (address: string, { signal }: { signal: AbortSignal }) =>
          fetchFromProvider(address, {
            method: 'GET',
            headers: { accept: 'application/json' },
            body: undefined,
            redirect: 'manual',
            signal,
          }),
        timeoutDuration: TIMEOUT_SECONDS * 1000,
      }),
    };
    return keys.get;
  }

  return {
    async newAttempt(isConfirmation) {
      const { randomNonce, randomPKCECodeVerifier, randomState } = await library();
      return {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        isConfirmation,
      };
    },

    async signInUrl({ state, nonce, codeVerifier, isConfirmation }, redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const url = buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(isConfirmation && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    },

    async redeem({ state, nonce, codeVerifier, isConfirmation }, url) {
      const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo, ResponseBodyError } =
        await library();
      const configuration = await configured();
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          ...(isConfirmation && { maxAge: CONFIRMED_SECONDS }),
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('the response has no ID token');
        // Some providers send the address only here.
        if (claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
        return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
      } catch (cause) {
        const isNamed = cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError;
        throw new RejectedError(reasonsOf(cause), { cause, code: isNamed ? cause.error : undefined });
      }
    },

    async verifyAccessToken(token, resource) {
      const reject = (cause: unknown) => new RejectedError(reasonsOf(cause), { cause });
      if (token.length > MAX_TOKEN_CHARACTERS) throw reject(new Error('the token is too long'));
      const get = await signingKeys();
      const { errors, jwtVerify } = await import('jose');
      const verified = await jwtVerify(token, get, {
        issuer,
        audience: resource,
        algorithms: TOKEN_ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      }).catch((cause: unknown) => {
        throw cause instanceof errors.JOSEError && !PROVIDER_FAULTS.includes(cause.code)
          ? reject(cause)
          : unavailable(cause);
      });
      const { payload, protectedHeader } = verified;
      if (!TOKEN_TYPES.includes((protectedHeader.typ ?? 'jwt').toLowerCase()))
        throw reject(new Error('the token is not an access token'));
      // Such a token works only together with a proof of possession, which a Bearer token lacks.
      if (payload['cnf'] !== undefined) throw reject(new Error('the token is bound to a key'));
      if (typeof payload.sub !== 'string' || payload.sub === '')
        throw reject(new Error('the token has no subject'));
      return { ...payload, sub: payload.sub };
    },
  };
}

/** The properties of the library's errors that name a cause. */
const DETAILS = ['error', 'error_description', 'claim', 'reason'] as const;

/** Returns the messages of an error and of its causes, for the log. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = [];
  for (let each = error; each !== undefined && each !== null && reasons.length < 10;) {
    const named = each as Readonly<Record<string, unknown>>;
    reasons.push(messageOf(each));
    for (const name of DETAILS) if (typeof named[name] === 'string') reasons.push(`${name}: ${named[name]}`);
    each = named['cause'];
  }
  return reasons.join('; ').slice(0, 1_000);
}
