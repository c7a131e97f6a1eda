import { expect, test } from 'bun:test';
import { submit } from '../../support/batch/batches.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

test('queued items fail when their account is suspended, and their quota is returned', async () => {
  const gate = Promise.withResolvers<void>();
  await using receiver = new Receiver(async ({ path }) => {
    if (path === '/held') await gate.promise;
    return new Response(null, { status: 204 });
  });
  const env = { EGRESS_ALLOW: receiver.host, RENDER_CONCURRENCY: '1' };
  await using service = await TestService.start({ env });
  const email = 'suspended@example.com';
  const key = await service.newKey('pro', email);
  const account = await service.accounts.findByEmail(email);
  if (!account) throw new Error('no account');
  const held = { html: `<img src="${receiver.url('/held')}">` };
  const items = [held, { html: 'a' }, { html: 'b' }, { html: 'c' }];
  const accepted = await submit(service, items, { key, webhook: receiver.url('/done') });
  expect(accepted.status).toBe(202);
  // The first item has begun, so it is printed; the others wait for the only browser page.
  await until(() => receiver.at('/held').length > 0);
  await service.accounts.update(account.id, { suspendedAt: Date.now() });
  gate.resolve();
  await until(() => receiver.at('/done').length > 0);
  const { data } = JSON.parse(receiver.at('/done')[0]?.body ?? '');
  const error = 'FORBIDDEN: the account was suspended before this document was made';
  expect(data.generations).toMatchObject([
    { status: 'completed', error: null },
    { status: 'failed', error },
    { status: 'failed', error },
    { status: 'failed', error },
  ]);
  await service.accounts.update(account.id, { suspendedAt: null });
  expect((await service.get('/v1/usage', key)).body.used).toBe(1);
});
