import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rejection } from '../support/rejection.ts';
import { TestService } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { TestIdentityProvider } from '../support/studio/identity-provider.ts';
import { claimsOf, OidcBrowser } from '../support/studio/oidc-browser.ts';
import { Browser } from '../support/studio/studio.ts';
import { callTool } from './agent-session.ts';
import { connect } from './connect.ts';

const PUBLIC_URL = 'https://pdf.example.com';
const RESOURCE = `${PUBLIC_URL}/mcp`;
const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;

const provider = new TestIdentityProvider();
afterAll(() => provider[Symbol.dispose]());
const oidc = { ...provider.settings, roleClaim: 'groups' };
const settings = {
  env: { TRUST_PROXY: '1', PUBLIC_URL },
  config: { plugins: { studio: { oidc }, mcp: { issuer: provider.issuer } } },
};
const service = sharedService(settings);

/** A person who has signed in to the studio with the provider. */
async function signedIn(email: string) {
  const browser = new OidcBrowser(service(), provider, email);
  expect(await browser.signInWith(claimsOf(browser, { groups: 'owner' }))).toBe('/studio');
  return { browser, sub: `sub ${email}`, account: (await browser.session()).account.id as string };
}

const owner = async () => signedIn((await Browser.signedIn(service())).email);

const tokenOf = (sub: string, more: Parameters<TestIdentityProvider['accessToken']>[1] = {}) =>
  provider.accessToken(RESOURCE, { ...more, claims: { sub, ...more.claims } });

let addresses = 0;

/** Asks for the tools with a token, from an address of its own: failures from one address are limited. */
const listTools = (token: string, headers: Record<string, string> = {}) => {
  addresses += 1;
  return service().request('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${addresses}`, ...headers },
  });
};

async function call(token: string, name: string, given: Record<string, unknown>) {
  const client = await connect({ url: service().url, key: token });
  try {
    return await callTool(client, name, given);
  } finally {
    await client.close();
  }
}

describe('an agent of a person', () => {
  test('finds where to get a token, and works as the person in the audit log', async () => {
    const { status, headers, body } = await service().request('POST', '/mcp', { key: null, body: {} });
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}"`,
    ]);
    expect(body.error.code).toBe(-32_000);
    const metadata = await service().request('GET', '/.well-known/oauth-protected-resource/mcp', {
      key: null,
    });
    expect([metadata.status, metadata.body]).toEqual([
      200,
      {
        resource: RESOURCE,
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Platen',
        resource_documentation: `${PUBLIC_URL}/docs/agents.md`,
      },
    ]);
    const discovered = await discoverOAuthProtectedResourceMetadata(`${service().url}/mcp`);
    expect(discovered.authorization_servers).toEqual([provider.issuer]);
    const { browser, sub } = await owner();
    const saved = await call(tokenOf(sub), 'save_template', { name: 'Note', html: '<p>Hello</p>' });
    expect(saved.answer).toMatchObject({ version: 1, saved: 'template' });
    const templates = (await browser.get('/v1/templates')).body.data;
    expect(templates.map(({ id }: { id: string }) => id)).toEqual([saved.answer['id']]);
    const [entry] = (await browser.get('/v1/audit?action=template.created')).body.data;
    expect(entry.actor).toMatchObject({ type: 'member', name: browser.email });
  });

  test('has the role of the person, which may change at any time', async () => {
    const company = await Browser.signedIn(service());
    const member = await Browser.member(company, 'viewer');
    const { sub } = await signedIn(member.email);
    const account = (await company.get('/studio/api/session')).body.account.id;
    const list = await call(tokenOf(sub), 'list_templates', {});
    expect(list.isError).toBeFalsy();
    const refused = await call(tokenOf(sub), 'save_template', { name: 'Note', html: '<p>Hello</p>' });
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('needs the role "editor"'),
    ]);
    const { data } = (await company.get('/studio/api/members')).body;
    const [{ id }] = data.filter(({ email }: { email: string }) => email === member.email);
    expect((await company.request('DELETE', `/studio/api/members/${id}`)).status).toBeLessThan(300);
    expect((await listTools(tokenOf(sub), { 'platen-account': account })).status).toBe(403);
  });

  test('of several accounts names one of them', async () => {
    const { browser, sub, account } = await owner();
    const company = await Browser.signedIn(service());
    const other = (await company.get('/studio/api/session')).body.account.id;
    const stranger = (await (await Browser.signedIn(service())).get('/studio/api/session')).body.account.id;
    const invitation = await company.invite(browser.email, 'editor');
    const all = { groups: 'owner' };
    expect(await browser.signInWith(claimsOf(browser, all), `?invitation=${invitation}`)).toBe('/studio');
    const { status, body } = await listTools(tokenOf(sub));
    expect([status, body.error.message]).toEqual([
      403,
      expect.stringMatching(/several accounts.*Platen-Account/),
    ]);
    for (const id of [account, other])
      expect((await listTools(tokenOf(sub), { 'platen-account': id })).status).toBe(200);
    for (const id of [stranger, 'acct_unknown', ''])
      expect((await listTools(tokenOf(sub), { 'platen-account': id })).status).toBe(403);
  });

  test('is refused before the person has signed in to the studio', async () => {
    const { status, body } = await listTools(
      tokenOf('an unknown subject', { claims: { email: (await owner()).browser.email } }),
    );
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('sign in to the studio')]);
  });

  test('is limited by the role and the domain in the token', async () => {
    const { sub } = await owner();
    const given = { name: 'Note', html: '<p>Hello</p>' };
    const limited = tokenOf(sub, { claims: { groups: ['staff', 'viewer'] } });
    expect((await call(limited, 'save_template', given)).text).toContain('needs the role "editor"');
    expect((await call(tokenOf(sub), 'save_template', given)).isError).toBeFalsy();
    const moved = { email: 'ann@other.example', email_verified: true };
    expect((await listTools(tokenOf(sub, { claims: moved }))).status).toBe(403);
    const unverified = { ...moved, email_verified: false };
    expect((await listTools(tokenOf(sub, { claims: unverified }))).status).toBe(200);
  });

  test('uses the token only for tools', async () => {
    const { sub } = await owner();
    const authorization = `Bearer ${tokenOf(sub)}`;
    const made = await service().request('POST', '/v1/generate', {
      body: { html: '<p>Hello</p>' },
      headers: { authorization },
    });
    expect(made.status).toBe(401);
    const session = await service().request('GET', '/studio/api/members', { headers: { authorization } });
    expect(session.status).toBe(401);
  });

  test('may still use an API key', async () => {
    expect((await listTools(service().key)).status).toBe(200);
  });
});

describe('an untrusted token is refused:', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forged = (content: Buffer) => sign('sha256', content, stranger.privateKey);
  const now = Math.floor(Date.now() / 1000);
  const jwk = stranger.publicKey.export({ format: 'jwk' });
  const cases: Record<string, Parameters<TestIdentityProvider['accessToken']>[1]> = {
    'another audience': { claims: { aud: 'https://other.example.com/mcp' } },
    'the audience with a slash': { claims: { aud: `${RESOURCE}/` } },
    'the audience of an ID token': { claims: { aud: provider.settings.clientId } },
    'no audience': { claims: { aud: undefined } },
    'another issuer': { claims: { iss: 'https://other.example.com' } },
    'no issuer': { claims: { iss: undefined } },
    expired: { claims: { exp: now - 120 } },
    'no expiry': { claims: { exp: undefined } },
    'an expiry that is text': { claims: { exp: '9999999999' } },
    'not valid yet': { claims: { nbf: now + 120 } },
    'no subject': { claims: { sub: undefined } },
    'an empty subject': { claims: { sub: '' } },
    'a subject that is a list': { claims: { sub: ['subject'] } },
    'bound to a key': { claims: { cnf: { jkt: 'thumbprint' } } },
    'no signature': { header: { alg: 'none' }, signer: () => Buffer.alloc(0) },
    'no signature, in capitals': { header: { alg: 'NONE' }, signer: () => Buffer.alloc(0) },
    'an empty signature': { signer: () => Buffer.alloc(0) },
    'signed with the public key as a secret': {
      header: { alg: 'HS256' },
      signer: (content) => createHmac('sha256', provider.publicKey).update(content).digest(),
    },
    'signed with another key': { signer: forged },
    'signed with the key in its header': { header: { jwk, kid: undefined }, signer: forged },
    'signed with a key at an address in its header': {
      header: { jku: 'https://attacker.example.com/keys', kid: 'theirs' },
      signer: forged,
    },
    'with an unknown critical header': { header: { crit: ['exp'], exp: 1 } },
    'an unencoded payload': { header: { b64: false, crit: ['b64'] } },
    'another algorithm than that of the key': {
      header: { alg: 'ES256' },
      signer: (content) => sign('sha256', content, { key: elliptic.privateKey, dsaEncoding: 'ieee-p1363' }),
    },
    'a logout token': { header: { typ: 'logout+jwt' } },
    'a proof of possession': { header: { typ: 'dpop+jwt' } },
    'an unknown key': { header: { kid: 'unknown' } },
    'a key that is a path': { header: { kid: '../../keys' } },
  };
  let person: Awaited<ReturnType<typeof owner>>;
  beforeAll(async () => {
    person = await owner();
    // The departures are the only reason for the refusals.
    expect((await listTools(tokenOf(person.sub))).status).toBe(200);
    expect((await listTools(tokenOf(person.sub, { header: { typ: undefined } }))).status).toBe(200);
    expect((await listTools(tokenOf(person.sub, { claims: { aud: ['other', RESOURCE] } }))).status).toBe(200);
  });

  test.each(Object.entries(cases))('%s', async (_name, departure) => {
    const { status, headers } = await listTools(tokenOf(person.sub, departure));
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${METADATA}"`,
    );
  });

  test.each(['a.b.c', '....', `${'a'.repeat(7_000)}.b.c`, 'a.b.c.d.e', 'e30.e30.'])(
    'malformed text',
    async (token) => {
      expect((await listTools(token)).status).toBe(401);
    },
  );
});

test('a provider that does not respond gives 503 with Retry-After', async () => {
  provider.keysResponse = () => new Response('down', { status: 500 });
  try {
    await using silent = await TestService.start(settings);
    const response = await silent.request('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { authorization: `Bearer ${tokenOf('subject')}` },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  } finally {
    provider.keysResponse = undefined;
  }
});

test.each([
  [
    'another issuer than the studio',
    { mcp: { issuer: 'https://other.example.com' }, studio: { oidc } },
    PUBLIC_URL,
  ],
  ['no identity provider of the studio', { mcp: { issuer: provider.issuer } }, PUBLIC_URL],
  ['no PUBLIC_URL', { mcp: { issuer: provider.issuer }, studio: { oidc } }, undefined],
])('the service does not start with %s', async (_name, plugins, publicUrl) => {
  const starting = TestService.start({
    env: publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl },
    config: { plugins },
  });
  expect(await rejection(starting)).toMatchObject({
    message: expect.stringContaining('plugins.mcp.issuer'),
  });
});
