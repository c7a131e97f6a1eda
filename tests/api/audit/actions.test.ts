import { describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { onePagers } from '../../support/batch/batches.ts';
import { DiskReserve } from '../../../src/disk-reserve.ts';
import { platen } from '../../support/service/process.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD } from '../../support/studio/studio.ts';
import { onMongoAndS3 } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

interface Entry {
  actor: { type: string; id: string | null; name: string };
  action: string;
  target: string | null;
  ip: string | null;
  request_id: string | null;
  outcome: string;
}

/** Returns the entries of the account of a browser, oldest first. */
async function entriesOf(browser: Browser, query = ''): Promise<Entry[]> {
  const { status, body } = await browser.get(`/v1/audit?limit=100${query}`);
  if (status !== 200) throw new Error(`the audit log responded with ${status}`);
  return body.data.toReversed();
}

const actionsOf = (entries: readonly Entry[]) => entries.map(({ action }) => action);

/** Runs work and returns the entries that it adds to the account of a browser. */
async function added(browser: Browser, work: () => Promise<unknown>): Promise<Entry[]> {
  const before = (await entriesOf(browser)).length;
  await work();
  return (await entriesOf(browser)).slice(before);
}

describe('in the studio', () => {
  test('a claimed link and a sign-in are entries of the person', async () => {
    const browser = await Browser.signedIn(service());
    const account = await service().accounts.findByEmail(browser.email);
    const entries = await entriesOf(browser);
    const [claim, password] = entries.toSorted((a, b) => (a.action < b.action ? -1 : 1));
    expect([claim, password]).toMatchObject([
      { action: 'link.claimed', target: expect.stringMatching(/^link_/) },
      { action: 'password.changed', target: null },
    ]);
    expect(claim?.actor).toEqual({ type: 'member', id: account?.id ?? '', name: browser.email });
    expect(claim?.ip).toMatch(/^10\./);
    const another = browser.another();
    expect(await added(browser, () => another.signIn())).toMatchObject([
      { action: 'session.signed_in', outcome: 'completed', actor: claim?.actor },
    ]);
    expect(await added(browser, () => another.post('/studio/api/sign-out'))).toMatchObject([
      { action: 'session.signed_out', target: expect.any(String), actor: claim?.actor },
    ]);
  });

  test('a password that a link sets is recorded, also if the account is suspended', async () => {
    const browser = await Browser.signedIn(service());
    const id = (await service().accounts.findByEmail(browser.email))?.id ?? '';
    const token = await newLink(service(), { email: browser.email });
    await service().accounts.update(id, { suspendedAt: Date.now() });
    const another = browser.another();
    const claim = await another.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(claim.status).toBe(403);
    await service().accounts.update(id, { suspendedAt: null });
    expect((await another.signIn()).status).toBe(200);
    expect(await entriesOf(another, '&action=link.*')).toMatchObject([
      { action: 'link.claimed', outcome: 'completed' },
      { action: 'link.claimed', outcome: 'completed' },
    ]);
  });

  test('a wrong password is recorded, and one of an unknown address nowhere', async () => {
    const browser = await Browser.signedIn(service());
    expect((await browser.another().signIn('wrong password')).status).toBe(401);
    const failed = () => entriesOf(browser, '&action=session.failed');
    await until(async () => (await failed()).length > 0);
    expect(await failed()).toMatchObject([{ outcome: 'completed', ip: expect.stringMatching(/^10\./) }]);
    expect(actionsOf(await entriesOf(browser, '&action=session.*'))).toEqual(['session.failed']);
    expect((await new Browser(service()).signIn()).status).toBe(401);
  });

  test('keys are created, renamed, revoked and restored', async () => {
    const browser = await Browser.signedIn(service());
    const create = async () => (await browser.post('/studio/api/keys', { name: 'Shop' })).body.id as string;
    const ids: string[] = [];
    const creation = await added(browser, async () => ids.push(await create(), await create()));
    expect(creation).toMatchObject(ids.map((target) => ({ action: 'key.created', target })));
    expect(JSON.stringify(creation)).not.toContain('plt_');
    const [first = '', second = ''] = ids;
    const path = `/studio/api/keys/${first}`;
    const changes = await added(browser, async () => {
      await browser.put(path, { name: 'Web shop' });
      await browser.delete(path);
      await browser.post(`${path}/restore`);
      // It works already, so nothing is restored.
      await browser.post(`${path}/restore`);
      await browser.post('/studio/api/keys/revoke', { ids: [first, 'key_none'] });
    });
    expect(changes).toMatchObject(
      ['key.renamed', 'key.revoked', 'key.restored'].map((action) => ({ action, target: first })),
    );
    const revoked = await added(browser, () => browser.post('/studio/api/keys/revoke', { ids }));
    expect(actionsOf(revoked)).toEqual(['key.revoked', 'key.revoked']);
    expect(new Set(revoked.map(({ target }) => target))).toEqual(new Set([first, second]));
  });

  test('the password, the webhook secret and the export are recorded without their content', async () => {
    const browser = await Browser.signedIn(service());
    let secret = '';
    const entries = await added(browser, async () => {
      secret = (await browser.get('/studio/api/webhook-secret')).body.secret;
      await browser.post('/studio/api/webhook-secret/rotate');
      await browser.get('/studio/api/account/export');
      await browser.put('/studio/api/password', { current_password: 'wrong', password: 'new password 1' });
      await browser.put('/studio/api/password', { current_password: PASSWORD, password: 'new password 1' });
    });
    expect(actionsOf(entries)).toEqual([
      'webhook_secret.read',
      'webhook_secret.rotated',
      'account.exported',
      'password.changed',
    ]);
    const text = JSON.stringify(entries);
    for (const hidden of [secret, PASSWORD, 'new password']) expect(text).not.toContain(hidden);
  });

  test('templates are trashed, restored, published and deleted', async () => {
    const browser = await Browser.signedIn(service());
    const { id } = (await browser.post('/v1/templates', { name: 'a', html_content: '<p>a</p>', alias: 'a' }))
      .body;
    const entries = await added(browser, async () => {
      await browser.post('/v1/marketplace/a/publish');
      await browser.post('/v1/marketplace/a/unpublish');
      await browser.put('/v1/templates/a', { name: 'b' });
      await browser.post(`/studio/api/trash/templates/${id}`);
      await browser.post(`/studio/api/trash/templates/${id}/restore`);
      await browser.delete(`/v1/templates/${id}`);
    });
    const actions = ['published', 'unpublished', 'updated', 'trashed', 'restored', 'deleted'];
    expect(entries).toMatchObject(actions.map((verb) => ({ action: `template.${verb}`, target: id })));
  });

  test('what an operator does to an account is in the log of that account, without the address', async () => {
    const [operator, browser] = await Promise.all([
      Browser.signedIn(service(), 'operator'),
      Browser.signedIn(service()),
    ]);
    const own = (await service().accounts.findByEmail(operator.email))?.id ?? '';
    const id = (await service().accounts.findByEmail(browser.email))?.id ?? '';
    const path = `/studio/api/accounts/${id}`;
    const ownBefore = (await entriesOf(operator)).length;
    const entries = await added(browser, async () => {
      await operator.put(path, { plan: 'starter', monthly_limit: 7 });
      // The plan stays the same.
      await operator.put(path, { plan: 'starter' });
      await operator.put(path, { suspended: true });
      await operator.put(path, { suspended: false });
      await operator.post(`${path}/link`);
    });
    expect(actionsOf(entries).toSorted()).toEqual([
      'account.limit_changed',
      'account.plan_changed',
      'account.resumed',
      'account.suspended',
      'link.created',
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({
        target: id,
        ip: null,
        actor: { type: 'operator', id: own, name: 'operator' },
      });
    expect(JSON.stringify(entries)).not.toContain(operator.email);
    expect((await entriesOf(operator)).length).toBe(ownBefore);
  });

  test('an owner who tries what operators do leaves no entry anywhere', async () => {
    const [owner, victim] = await Promise.all([Browser.signedIn(service()), Browser.signedIn(service())]);
    const id = (await service().accounts.findByEmail(victim.email))?.id ?? '';
    const before = (await entriesOf(victim)).length;
    const attempts = await added(owner, async () => {
      expect((await owner.put(`/studio/api/accounts/${id}`, { suspended: true })).status).toBe(403);
      expect((await owner.post(`/studio/api/accounts/${id}/link`)).status).toBe(403);
      expect((await owner.post('/studio/api/accounts', { email: 'x@example.com' })).status).toBe(403);
    });
    expect([attempts, (await entriesOf(victim)).length]).toEqual([[], before]);
  });

  test('the entries of an erased account are erased, and its export contains them', async () => {
    const browser = await Browser.signedIn(service());
    const { body } = await browser.get('/studio/api/account/data');
    expect(body.data).toContainEqual({ name: 'audit-entries', count: 2 });
    const { email } = browser;
    expect((await browser.post('/studio/api/account/delete', { email, password: PASSWORD })).status).toBe(
      204,
    );
    const token = await newLink(service(), { email });
    const again = new Browser(service(), {}, email);
    await again.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(actionsOf(await entriesOf(again)).toSorted()).toEqual(['link.claimed', 'password.changed']);
  });
});

test('a deletion, revocation or cancellation that was made before is not recorded again', async () => {
  const browser = await Browser.signedIn(service());
  const create = async () => (await browser.post('/studio/api/keys', { name: 'Shop' })).body.id as string;
  const [first, second, third] = [await create(), await create(), await create()];
  const { id: template } = (await browser.post('/v1/templates', { name: 'a', html_content: 'a' })).body;
  const { batch_id: batch } = (await browser.post('/v1/generate/batch', { items: onePagers(1) })).body;
  await until(async () => (await browser.get(`/v1/batches/${batch}`)).body.status === 'completed');
  const statuses: number[] = [];
  const entries = await added(browser, async () => {
    for (let times = 0; times < 2; times += 1)
      for (const answer of [
        await browser.delete(`/studio/api/keys/${first}`),
        await browser.delete(`/v1/keys/${second}`),
        await browser.post('/studio/api/keys/revoke', { ids: [first, third, second] }),
        await browser.post(`/v1/marketplace/${template}/unpublish`),
        await browser.post(`/v1/batches/${batch}/cancel`),
      ])
        statuses.push(answer.status);
  });
  expect(statuses).toEqual([200, 204, 200, 200, 200, 200, 204, 200, 200, 200]);
  expect(entries).toMatchObject(
    [first, second, third].map((target) => ({ action: 'key.revoked', target, outcome: 'completed' })),
  );
});

test('the cancellation of a batch is recorded once', async () => {
  const browser = await Browser.signedIn(service());
  const { batch_id: id } = (await browser.post('/v1/generate/batch', { items: onePagers(50) })).body;
  const cancel = () => browser.post(`/v1/batches/${id}/cancel`);
  const entries = await added(browser, async () => {
    expect((await cancel()).body.status).toBe('canceled');
    expect((await cancel()).body.status).toBe('canceled');
  });
  expect(entries).toMatchObject([{ action: 'batch.canceled', target: id }]);
});

test.if(!onMongoAndS3)(
  'on a full disk, a key is revoked with an entry, and no template is stored',
  async () => {
    const browser = await Browser.signedIn(service());
    const { id } = (await browser.post('/studio/api/keys', { name: 'Shop' })).body;
    const template = { name: 'a', html_content: '<p>a</p>' };
    const { id: published } = (await browser.post('/v1/templates', template)).body;
    await browser.post(`/v1/marketplace/${published}/publish`);
    const admits = spyOn(DiskReserve.prototype, 'admits').mockReturnValue(false);
    const entries = await added(browser, async () => {
      expect((await browser.post('/v1/templates', template)).status).toBe(503);
      expect((await browser.delete(`/studio/api/keys/${id}`)).status).toBe(200);
      expect((await browser.post(`/v1/marketplace/${published}/unpublish`)).status).toBe(200);
    }).finally(() => admits.mockRestore());
    expect(entries).toMatchObject([
      { action: 'key.revoked', target: id, outcome: 'completed' },
      { action: 'template.unpublished', target: published, outcome: 'completed' },
    ]);
  },
);

test('commands are recorded with their name, and without a caller', async () => {
  const browser = await Browser.signedIn(service());
  const { email } = browser;
  const account = await service().accounts.findByEmail(email);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await platen(args, service().env);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const archive = join(service().dataDir, 'export.zip');
  const entries = await added(browser, async () => {
    await run('keys', 'create', '--email', email);
    const [key] = await service().accounts.listKeys(account?.id);
    await run('keys', 'revoke', key?.id ?? '');
    await run('accounts', 'set', '--email', email, '--plan', 'pro', '--monthly-limit', '5');
    await run('accounts', 'export', '--email', email, '--out', archive);
    // The archive exists, so nothing is exported.
    await run('accounts', 'export', '--email', email, '--out', archive).catch(() => undefined);
    await run('webhooks', 'secret', '--email', email);
    await run('webhooks', 'secret', '--email', email, '--rotate');
    await run('studio', 'link', '--email', email);
  });
  expect(entries.map(({ action, actor }) => `${actor.name}: ${action}`).toSorted()).toEqual([
    'platen accounts export: account.exported',
    'platen accounts set: account.limit_changed',
    'platen accounts set: account.plan_changed',
    'platen keys create: key.created',
    'platen keys revoke: key.revoked',
    'platen studio link: link.created',
    'platen webhooks secret: webhook_secret.read',
    'platen webhooks secret: webhook_secret.rotated',
  ]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      actor: { type: 'command', id: null },
      target: expect.any(String),
      ip: null,
      request_id: null,
      outcome: 'completed',
    });
});
