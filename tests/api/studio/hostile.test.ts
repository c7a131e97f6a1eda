import { describe, expect, test } from 'bun:test';
import { extendedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = extendedService();

/** Opens the browser of an operator whose plan allows many requests in a second. */
async function openOperator(): Promise<Browser> {
  const operator = await Browser.signedIn(service(), 'operator');
  const { id } = (await operator.get('/studio/api/session')).body.account;
  await service().accounts.update(id, { plan: 'enterprise' });
  return operator;
}

let addresses = 0;

/** Returns a header with a new address: requests without a session are limited by address. */
function fromAnywhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` };
}

/** The routes that take a body, each with a valid body. */
const BODIES: [method: 'POST' | 'PUT', path: string, valid: Record<string, unknown>][] = [
  ['POST', '/studio/api/sign-in', { email: 'a@example.com', password: 'x' }],
  ['POST', '/studio/api/session/confirm', { password: 'x' }],
  ['POST', '/studio/api/session/confirm', { passkey: {} }],
  ['PUT', '/studio/api/password', { current_password: 'x', password: 'long enough' }],
  ['POST', '/studio/api/link', { token: 'x' }],
  ['POST', '/studio/api/link/passkey-options', { token: 'x', email: 'a@example.com' }],
  ['POST', '/studio/api/link/claim', { token: 'x', email: 'a@example.com', password: 'long enough' }],
  ['POST', '/studio/api/link/claim', { token: 'x', passkey: {} }],
  ['POST', '/studio/api/passkeys/sign-in', { ceremony: 'x', response: {} }],
  ['POST', '/studio/api/passkeys', { ceremony: 'x', response: {}, name: 'x' }],
  ['PUT', '/studio/api/passkeys/x', { name: 'x' }],
  ['POST', '/studio/api/keys', { name: 'x' }],
  ['PUT', '/studio/api/keys/x', { name: 'x' }],
  ['POST', '/studio/api/account/delete', { email: 'a@example.com', password: 'x' }],
  ['POST', '/studio/api/accounts', { email: 'a@example.com', plan: 'free' }],
  ['PUT', '/studio/api/accounts/x', { plan: 'free', monthly_limit: 1, suspended: false }],
];

const WRONG: unknown[] = [[], {}, -1.5, '', 'x'.repeat(10_000), ['x'], { $ne: null }];

describe('a wrong value is a 400 that names the field', () => {
  test('in every field of every body', async () => {
    const operator = await openOperator();
    const faults: string[] = [];
    for (const [method, path, valid] of BODIES)
      for (const field of Object.keys(valid))
        for (const value of WRONG) {
          const { status, body } = await operator.request(
            method,
            path,
            { ...valid, [field]: value },
            fromAnywhere(),
          );
          const paths: string[] = (body?.error?.details ?? []).map((detail: { path: string }) => detail.path);
          if (status !== 400 || !paths.some((named) => named.startsWith(field)))
            faults.push(
              `${method} ${path} ${field} ${JSON.stringify(value).slice(0, 20)}: ${status} ${paths.join()}`,
            );
        }
    expect(faults).toEqual([]);
  });

  test('in place of every body, and for a body that is too large', async () => {
    const operator = await openOperator();
    for (const [method, path, valid] of BODIES)
      for (const body of [
        [],
        'x',
        5,
        null,
        { ...valid, unknown: 1 },
        { ...valid, unknown: 'x'.repeat(100_000) },
      ])
        expect((await operator.request(method, path, body, fromAnywhere())).status).toBe(400);
  });

  test('in names and email addresses with invisible characters', async () => {
    const operator = await openOperator();
    for (const invisible of ['\u0000', '\n', '\u001b', '\u202e', '\u2066', '\ud800']) {
      for (const name of [invisible, `a${invisible}b`]) {
        const { status, body } = await operator.post('/studio/api/keys', { name });
        expect([status, body.error?.details[0].path]).toEqual([400, 'name']);
      }
      const email = `a${invisible}@example.com`;
      const { status, body } = await operator.post('/studio/api/accounts', { email, plan: 'free' });
      expect([status, body.error?.details[0].path]).toEqual([400, 'email']);
    }
    for (const name of ['Žluťoučký kůň', '会計', '🚀 Launch', ' padded '])
      expect((await operator.post('/studio/api/keys', { name })).body.name).toBe(name.trim());
    const email = `ž${crypto.randomUUID()}@příklad.example`;
    expect((await operator.post('/studio/api/accounts', { email })).status).toBe(201);
  });

  test('in queries, and unknown ids are not found', async () => {
    const operator = await openOperator();
    for (const [path, field] of [
      ['keys?limit=%00', 'limit'],
      ['keys?offset=99999999999999999999', 'offset'],
      ['usage?months=0', 'months'],
      [`accounts?search=${'x'.repeat(300)}`, 'search'],
    ]) {
      const { status, body } = await operator.get(`/studio/api/${path}`);
      expect([status, body.error?.details[0].path]).toEqual([400, field]);
    }
    for (const search of ['%00', '%ff', '%25_%5B(*', '.*'])
      expect((await operator.get(`/studio/api/accounts?search=${search}`)).body.data).toEqual([]);
    for (const id of ['%00', '%ff', 'x'.repeat(5000)]) {
      expect((await operator.delete(`/studio/api/keys/${id}`)).status).toBe(404);
      expect((await operator.get(`/studio/api/deliveries/${id}`)).status).toBe(404);
      expect((await operator.post(`/studio/api/accounts/${id}/link`)).status).toBe(404);
    }
  });
});

test('a session reaches nothing of another account through the public API', async () => {
  const owner = await Browser.signedIn(service());
  const stranger = await Browser.signedIn(service(), 'operator');
  const template = (await owner.post('/v1/templates', { name: 'x', html_content: '<p>x</p>' })).body.id;
  const generation = (await owner.post('/v1/generate', { html: 'x' })).body.id;
  const paths = [`templates/${template}`, `generations/${generation}`];
  for (const path of paths) {
    expect((await owner.get(`/v1/${path}`)).status).toBe(200);
    expect((await stranger.get(`/v1/${path}`)).status).toBe(404);
    expect((await stranger.delete(`/v1/${path}`)).status).toBe(404);
  }
  expect((await stranger.post('/v1/generate', { template, data: {} })).status).toBe(404);
  expect((await stranger.post(`/v1/marketplace/${template}/publish`)).status).toBe(404);
  const { cookie } = owner;
  await owner.post('/studio/api/sign-out');
  for (const path of [...paths.map((rest) => `/v1/${rest}`), '/studio/api/keys'])
    expect((await owner.get(path, { cookie })).status).toBe(401);
});
