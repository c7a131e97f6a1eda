import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** What a token of the provider contains, and how the provider departs from the rules. */
export interface Departures {
  /** Claims that replace those of a correct ID token; `undefined` removes a claim. */
  claims?: Record<string, unknown>;
  /** Signs with a key that the provider does not publish. */
  isForged?: boolean;
  /** The algorithm in the header of the token. */
  algorithm?: string;
  /** The response of the token endpoint in place of tokens. */
  tokenResponse?: () => Response;
  /** The state in the redirect, in place of that of the request. */
  state?: string;
  /** The error in the redirect, in place of a code. */
  error?: string;
}

interface Grant {
  nonce: string;
  challenge: string;
  redirectUri: string;
  departures: Departures;
}

const CLIENT_ID = 'platen';
const CLIENT_SECRET = 'a+secret:with%signs';

const base64url = (text: string | Buffer) => Buffer.from(text).toString('base64url');

/** An OpenID provider for tests. It signs in every browser, as the person of `authorize`. */
export class TestIdentityProvider implements Disposable {
  readonly #server;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #grants = new Map<string, Grant>();
  /** The claims that the provider sends only from its userinfo endpoint. */
  userInfo: Record<string, unknown> | undefined;
  /** The metadata that replaces that of the discovery document. */
  metadata: Record<string, unknown> = {};
  /** The person whom the page of the provider signs in at once, as browsers open it. */
  departures: Departures = {};
  /** The response in place of the keys. */
  keysResponse: (() => Response) | undefined;
  /** The requests for tokens that were correct. */
  redeemed = 0;

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#respond(request) });
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The settings with which the studio uses the provider. */
  get settings() {
    return {
      issuer: this.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      allowedDomains: ['example.com'],
    };
  }

  /**
   * Signs a person in at the URL to which the studio sends the browser, and returns the URL to which the
   * provider sends it back.
   */
  authorize(url: string, departures: Departures = {}): string {
    const { origin, pathname, searchParams } = new URL(url);
    if (origin + pathname !== `${this.issuer}/authorize`) throw new Error(`not the provider: ${url}`);
    const read = (name: string) => {
      const value = searchParams.get(name);
      if (value === null) throw new Error(`the request lacks ${name}`);
      return value;
    };
    if (
      read('client_id') !== CLIENT_ID ||
      read('response_type') !== 'code' ||
      read('code_challenge_method') !== 'S256'
    )
      throw new Error(`a wrong request: ${url}`);
    const code = crypto.randomUUID();
    const redirectUri = read('redirect_uri');
    this.#grants.set(code, {
      nonce: read('nonce'),
      challenge: read('code_challenge'),
      redirectUri,
      departures,
    });
    const back = new URL(redirectUri);
    back.searchParams.set('state', departures.state ?? read('state'));
    if (departures.error === undefined) back.searchParams.set('code', code);
    else back.searchParams.set('error', departures.error);
    return back.href;
  }

  /** The public key of the provider, as PEM. */
  get publicKey(): string {
    return this.#keys.publicKey.export({ format: 'pem', type: 'spki' });
  }

  /**
   * Returns an access token for a resource. `header` and `claims` replace those of a correct token;
   * `undefined` removes one. `signer` signs in place of the provider.
   */
  accessToken(
    resource: string,
    {
      claims,
      header,
      signer = (content) => sign('sha256', content, this.#keys.privateKey),
    }: { claims?: object; header?: object; signer?: (content: Buffer) => Buffer } = {},
  ): string {
    const now = Math.floor(Date.now() / 1000);
    const parts = [
      { alg: 'RS256', kid: 'one', typ: 'at+jwt', ...header },
      {
        iss: this.issuer,
        sub: 'subject',
        aud: resource,
        exp: now + 60,
        iat: now,
        client_id: 'agent',
        ...claims,
      },
    ];
    const content = parts.map((part) => base64url(JSON.stringify(part))).join('.');
    return `${content}.${base64url(signer(Buffer.from(content)))}`;
  }

  async #respond(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...(this.userInfo && { userinfo_endpoint: `${this.issuer}/userinfo` }),
          ...this.metadata,
        });
      case '/authorize':
        return Response.redirect(this.authorize(request.url, this.departures), 302);
      case '/userinfo':
        return Response.json(this.userInfo ?? {});
      case '/keys':
        if (this.keysResponse) return this.keysResponse();
        return Response.json({
          keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
        });
      case '/token':
        return this.#grantTokens(request);
      default:
        return new Response(null, { status: 404 });
    }
  }

  async #grantTokens(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const [id, secret] = Buffer.from(
      request.headers.get('authorization')?.slice('Basic '.length) ?? '',
      'base64',
    )
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const verifier = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest();
    const isCorrect =
      grant &&
      id === CLIENT_ID &&
      secret === CLIENT_SECRET &&
      form.get('redirect_uri') === grant.redirectUri &&
      base64url(verifier) === grant.challenge;
    if (secret !== CLIENT_SECRET) return Response.json({ error: 'invalid_client' }, { status: 401 });
    if (!isCorrect) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    this.redeemed += 1;
    const { nonce, departures } = grant;
    if (departures.tokenResponse) return departures.tokenResponse();
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      sub: 'subject',
      aud: CLIENT_ID,
      exp: now + 60,
      iat: now,
      auth_time: now,
      nonce,
      email: 'ann@example.com',
      email_verified: true,
      ...departures.claims,
    };
    return Response.json({
      access_token: crypto.randomUUID(),
      token_type: 'Bearer',
      id_token: this.#token(claims, departures),
    });
  }

  #token(claims: object, { isForged = false, algorithm = 'RS256' }: Departures): string {
    const content = `${base64url(JSON.stringify({ alg: algorithm, kid: 'one' }))}.${base64url(JSON.stringify(claims))}`;
    if (algorithm === 'none') return `${content}.`;
    const key: KeyObject = isForged
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : this.#keys.privateKey;
    return `${content}.${base64url(sign('sha256', Buffer.from(content), key))}`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
