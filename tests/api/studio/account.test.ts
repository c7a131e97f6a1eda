import { afterAll, describe, expect, test } from 'bun:test';
import { Receiver } from '../../support/sites/receiver.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';
import { unzip } from '../../support/unzip.ts';

const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const service = extendedService();

interface Entry {
  id: string;
  name: string;
  email: string;
}

describe('an account', () => {
  test('reads its usage by month and day', async () => {
    const browser = await Browser.signedIn(service());
    expect((await browser.get('/studio/api/usage')).body).toEqual({ data: [], has_more: false });
    expect((await browser.post('/v1/generate', { html: '<p>x</p>' })).status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await browser.get('/studio/api/usage?months=3');
    expect(body.data).toEqual([
      { month: today.slice(0, 7), used: 1, by_day: [{ date: today, completed: 1, failed: 0 }] },
    ]);
    expect((await browser.get('/studio/api/usage?months=25')).status).toBe(400);
  });

  test('reads and rotates the secret of its webhooks, and the payload of a delivery', async () => {
    const browser = await Browser.signedIn(service());
    const { secret } = (await browser.get('/studio/api/webhook-secret')).body;
    expect(secret).toStartWith('whsec_');
    const rotated = (await browser.post('/studio/api/webhook-secret/rotate')).body;
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previous_until)).toBeGreaterThan(Date.now());

    const made = await browser.post('/v1/generate', { html: '<p>x</p>', webhook: receiver.url('/hook') });
    expect(made.status).toBe(200);
    const [{ id }] = (await browser.get('/v1/webhooks/deliveries')).body.data;
    const delivery = await browser.get(`/studio/api/deliveries/${id}`);
    expect(delivery.body).toMatchObject({ id, event: 'generation.completed' });
    expect(delivery.body.payload.data.id).toBe(made.body.id);
    const stranger = await Browser.signedIn(service());
    expect((await stranger.get(`/studio/api/deliveries/${id}`)).status).toBe(404);
  });

  test('exports its data, and no data of other accounts', async () => {
    const [owner, other] = [await Browser.signedIn(service()), await Browser.signedIn(service())];
    await owner.post('/studio/api/keys', { name: 'of the owner' });
    await other.post('/studio/api/keys', { name: 'of another' });
    const response = await fetch(`${service().url}/studio/api/account/export`, {
      headers: { cookie: owner.cookie },
    });
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toStartWith('attachment;');
    const entries = await unzip(await response.bytes());
    const textOf = (name: string) => entries.find((entry) => entry.name === name)?.content.toString() ?? '';
    expect(JSON.parse(textOf('account.json')).email).toBe(owner.email);
    expect(JSON.parse(textOf('api-keys.json')).map(({ name }: Entry) => name)).toEqual(['of the owner']);
    expect(JSON.parse(textOf('studio-sessions.json'))).toHaveLength(1);
    const whole = entries.map(({ content }) => content.toString()).join('\n');
    const [, token = ''] = owner.cookie.split('=');
    expect(token.length).toBeGreaterThan(20);
    for (const secret of ['argon2', token]) expect(whole).not.toContain(secret);
  });

  test('is deleted with its password, its sessions and its keys', async () => {
    const browser = await Browser.signedIn(service());
    const { key } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
    const { id } = (await browser.get('/studio/api/session')).body.account;
    const counts = (await browser.get('/studio/api/account/data')).body.data;
    expect(counts).toContainEqual({ name: 'api-keys', count: 1 });
    const { email } = browser;
    const wrong: [object, number][] = [
      [{ email: 'other@example.com', password: PASSWORD }, 400],
      [{ email }, 400],
      [{ email, password: 'wrong password' }, 403],
    ];
    for (const [body, status] of wrong)
      expect((await browser.post('/studio/api/account/delete', body)).status).toBe(status);
    const { cookie } = browser;
    const deleted = await browser.post('/studio/api/account/delete', { email, password: PASSWORD });
    expect(deleted.status).toBe(204);
    expect(browser.setCookie).toContain('Max-Age=0');
    expect((await browser.get('/studio/api/keys', { cookie })).status).toBe(401);
    expect((await service().get('/v1/usage', key)).status).toBe(401);
    expect((await browser.another().signIn()).status).toBe(401);
    for (const name of ['users', 'sessions', 'links', 'passkeys'] as const) {
      const left = await withCollection(service(), name, (collection) => collection.find());
      expect(JSON.stringify(left)).not.toContain(id);
    }
  });
});

describe('an operator', () => {
  test('lists, creates and changes accounts', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const email = `${crypto.randomUUID()}@example.com`;
    const created = await operator.post('/studio/api/accounts', { email, plan: 'starter' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ email, plan: 'starter', limit: 2_000, used: 0, role: null });
    expect((await operator.post('/studio/api/accounts', { email })).status).toBe(409);
    const { id } = created.body;
    const changed = await operator.put(`/studio/api/accounts/${id}`, { plan: 'pro', monthly_limit: 7 });
    expect(changed.body).toMatchObject({ plan: 'pro', monthly_limit: 7, limit: 7, suspended_at: null });
    const reset = await operator.put(`/studio/api/accounts/${id}`, { monthly_limit: null });
    expect(reset.body).toMatchObject({ plan: 'pro', monthly_limit: null, limit: 20_000 });
    expect((await operator.put(`/studio/api/accounts/${id}`, {})).status).toBe(400);
    expect((await operator.put('/studio/api/accounts/acct_none', { plan: 'pro' })).status).toBe(404);

    const search = await operator.get(`/studio/api/accounts?search=${email.slice(0, 20).toUpperCase()}`);
    expect(search.body.data.map((account: Entry) => account.id)).toEqual([id]);
    const page = await operator.get('/studio/api/accounts?limit=1&offset=1');
    expect(page.body.data).toHaveLength(1);
    expect(page.body.has_more).toBe(true);
  });

  test('creates sign-in links', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const person = new Browser(service());
    const { id } = (await operator.post('/studio/api/accounts', { email: person.email })).body;
    const { status, body } = await operator.post(`/studio/api/accounts/${id}/link`);
    expect(status).toBe(201);
    expect(body.url).toStartWith(`${service().url}/studio/link/`);
    const token = body.url.split('/').at(-1);
    const claimed = await person.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(claimed.body).toMatchObject({ role: 'owner', account: { id, plan: 'free' } });
  });

  test('suspends accounts, except its own', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const person = await Browser.signedIn(service());
    const { id } = (await person.get('/studio/api/session')).body.account;
    const suspended = await operator.put(`/studio/api/accounts/${id}`, { suspended: true });
    expect(suspended.body.suspended_at).not.toBeNull();
    expect((await person.get('/v1/usage')).status).toBe(403);
    await operator.put(`/studio/api/accounts/${id}`, { suspended: false });
    expect((await person.get('/v1/usage')).status).toBe(200);
    const own = (await operator.get('/studio/api/session')).body.account.id;
    expect((await operator.put(`/studio/api/accounts/${own}`, { suspended: true })).status).toBe(409);
  });

  test('sees the health of each component, and metrics', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const { body } = await operator.get('/studio/api/health');
    expect(body.status).toBe('ready');
    expect(body.parts).toContainEqual({ name: 'store', ok: true, text: '' });
    const { data } = (await operator.get('/studio/api/metrics')).body;
    const metric = (name: string) => data.find((each: Entry) => each.name === name);
    expect(metric('platen_http_requests_total').values[0].value).toBeGreaterThan(0);
    const [timing] = metric('platen_http_request_seconds').values;
    expect(timing.count).toBeGreaterThan(0);
    expect(timing.p50).toBeLessThanOrEqual(timing.p95 ?? 30);
  });

  test('cannot be deleted while it is the only operator', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const { id } = (await operator.get('/studio/api/session')).body.account;
    await withCollection(service(), 'users', async (users) => {
      for (const user of await users.find({ where: { role: 'operator' } }))
        if (user.id !== id) await users.update({ id: user.id }, { role: 'owner' });
    });
    const body = { email: operator.email, password: PASSWORD };
    expect((await operator.post('/studio/api/account/delete', body)).status).toBe(409);
    const token = await newLink(service(), { email: new Browser(service()).email, role: 'operator' });
    await new Browser(service()).post('/studio/api/link/claim', { token, password: PASSWORD });
    expect((await operator.post('/studio/api/account/delete', body)).status).toBe(204);
  });
});

test('an owner reaches none of the routes of operators', async () => {
  const owner = await Browser.signedIn(service());
  const { id } = (await owner.get('/studio/api/session')).body.account;
  const answers = await Promise.all([
    owner.get('/studio/api/accounts'),
    owner.post('/studio/api/accounts', { email: 'x@example.com' }),
    owner.put(`/studio/api/accounts/${id}`, { plan: 'enterprise' }),
    owner.post(`/studio/api/accounts/${id}/link`),
    owner.get('/studio/api/health'),
    owner.get('/studio/api/metrics'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect((await owner.get('/studio/api/session')).body.account.plan).toBe('pro');
});

test('a template gets sample data, or an error that names its field', async () => {
  const owner = await Browser.signedIn(service());
  const sample = (html: string) => owner.post('/studio/api/sample-data', { html_content: html });
  const made = await sample('{{customer.name}}{{#each items}}{{formatNumber price}}{{/each}}');
  expect([made.status, made.body.data]).toEqual([
    200,
    { customer: { name: 'Name' }, items: [{ price: 12 }, { price: 12 }] },
  ]);
  for (const wrong of ['', 5, 'x'.repeat(100_001)])
    expect((await owner.post('/studio/api/sample-data', { html_content: wrong })).status).toBe(400);
  const broken = await sample('<p>{{#if a}}</p>');
  expect([broken.status, broken.body.error.details[0].path]).toEqual([400, 'html_content']);
  expect((await service().post('/studio/api/sample-data', { html_content: 'x' })).status).toBe(403);
});
