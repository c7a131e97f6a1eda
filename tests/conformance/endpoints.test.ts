import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { CollectionSpec } from '../../src/store/store.ts';
import { endpointsSpec } from '../../src/webhooks/endpoint.ts';
import type { EndpointFields } from '../../src/webhooks/endpoints.ts';
import type { OpenWebhooks } from '../../src/webhooks/webhooks.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
import type { Respond } from '../support/sites/receiver.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

interface Change {
  id: string;
  accountId: string;
  unreportedAt: number | null;
}

const changesSpec: CollectionSpec<Change> = {
  name: 'test_changes',
  indexes: [{ fields: { unreportedAt: 'asc' } }],
};
const deployments: [string, (respond?: Respond) => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];
const DAY_MS = 24 * 60 * 60_000;

const change = (id: string): Change => ({ id, accountId: 'acct_a', unreportedAt: 1_790_000_000_000 });

/** Opens the outbox of a collection, and returns the function that changes a record in it. */
async function openChanges(deployment: Deployment, webhooks: OpenWebhooks, stored?: () => void) {
  const collection = await deployment.store.collection(changesSpec);
  const outbox = webhooks.outbox({
    name: 'changes',
    collection,
    toEvent: ({ id, accountId, unreportedAt }) => ({
      id: `generation.completed:${id}`,
      accountId,
      type: 'generation.completed',
      data: { id },
      timestamp: unreportedAt ?? 0,
    }),
    onStored: async () => stored?.(),
    complete: async (data) => ({ ...(data as object), link: 'made for this attempt' }),
  });
  const report = async (id: string) => {
    await collection.insert(change(id));
    outbox.report(change(id));
  };
  return { collection, outbox, report };
}

const subscribe = async (
  { webhooks }: { webhooks: OpenWebhooks },
  url: string,
  fields: Partial<EndpointFields> = {},
) => {
  const events = ['generation.*'];
  const chosen = { url, events, description: null, enabled: true, ...fields };
  return (await webhooks.endpoints.create('acct_a', chosen)).endpoint.id;
};

/** Lists the records whose events were received at a path. */
const receivedAt = ({ receiver }: Deployment, path: string) =>
  receiver.at(path).map(({ body }): string => JSON.parse(body).data.id);

describe.each(deployments)('webhook endpoints on %s', (_, open) => {
  test('a process that dies while it stores deliveries leaves them to the others, once each', async () => {
    await using deployment = await open();
    const { receiver } = deployment;
    const dying = await deployment.process();
    const { collection, report } = await openChanges(deployment, dying.webhooks, () => {
      throw new Error('the process dies before it notes that the event is stored');
    });
    for (const path of ['/one', '/two']) await subscribe(dying, receiver.url(path));
    await subscribe(dying, receiver.url('/other'), { events: ['batch.*'] });
    await collection.insert(change('before'));
    await report('during');
    await dying.webhooks.close();
    expect(receiver.received).toEqual([]);

    const others = await Promise.all([deployment.process(), deployment.process()]);
    for (const { webhooks } of others) await openChanges(deployment, webhooks);
    await Promise.all(others.map(({ jobs }) => jobs.start()));
    await until(async () => (await collection.count({ unreportedAt: null })) === 2);
    await until(async () => (await deployment.deliveries()).every(({ status }) => status === 'delivered'));
    for (const path of ['/one', '/two'])
      expect(receivedAt(deployment, path).toSorted()).toEqual(['before', 'during']);
    expect(receiver.at('/other')).toEqual([]);
    expect(await deployment.deliveries()).toHaveLength(4);
  });

  test('several processes that report a change store one delivery, with what each attempt adds', async () => {
    await using deployment = await open();
    const processes = await Promise.all([deployment.process(), deployment.process()]);
    const [first] = processes;
    if (!first) throw new Error('there is no process');
    await subscribe(first, deployment.receiver.url('/hook'));
    const outboxes = await Promise.all(processes.map(({ webhooks }) => openChanges(deployment, webhooks)));
    await outboxes[0]?.collection.insert(change('c1'));
    for (const { outbox } of [...outboxes, ...outboxes]) outbox.report(change('c1'));
    await Promise.all(processes.map(({ jobs }) => jobs.start()));
    await deployment.waitForStatus('delivered');
    expect(await deployment.deliveries()).toHaveLength(1);
    expect(deployment.receiver.at('/hook').map(({ body }) => JSON.parse(body).data)).toEqual([
      { id: 'c1', link: 'made for this attempt' },
    ]);
    const [event] = (await first.webhooks.listEvents('acct_a', { limit: 1 })).records;
    expect(event?.data).toEqual({ id: 'c1' });
  });

  test('a corrected event is sent corrected; a deleted one is not sent', async () => {
    await using deployment = await open();
    const process = await deployment.process();
    const { webhooks, jobs } = process;
    await subscribe(process, deployment.receiver.url('/hook'));
    const { report, collection, outbox } = await openChanges(deployment, webhooks);
    for (const id of ['corrected', 'deleted']) await report(id);
    // Deleted between the change and its event.
    outbox.report(change('gone'));
    await webhooks.listEvents('acct_a', { limit: 1 });
    await webhooks.edit('generation.completed:corrected', () => ({ id: 'new' }));
    await collection.delete({ id: 'deleted' });
    await webhooks.delete(['generation.completed:deleted']);
    expect(await deployment.deliveries()).toHaveLength(1);
    await jobs.start();
    await deployment.waitForStatus('delivered');
    expect(receivedAt(deployment, '/hook')).toEqual(['new']);
  });

  test('an endpoint that fails for three days is disabled; a success in between starts anew', async () => {
    let isDown = true;
    let now = 1_790_000_000_000;
    await using deployment = await open(({ path }) => {
      return new Response(null, { status: isDown && path === '/failing' ? 500 : 200 });
    });
    const process = await deployment.startProcess({ retryDelaysMs: [], now: () => now });
    const { webhooks } = process;
    const { report } = await openChanges(deployment, webhooks);
    const id = await subscribe(process, deployment.receiver.url('/failing'));
    await subscribe(process, deployment.receiver.url('/watching'), { events: ['webhook_endpoint.*'] });
    const read = () => webhooks.endpoints.get('acct_a', id);
    const iso = (time: number) => new Date(time).toISOString();
    let sent = 0;
    const send = async () => {
      await report(`c${(sent += 1)}`);
      await until(() => deployment.receiver.at('/failing').length === sent);
      await until(async () => (await deployment.deliveries()).every(({ status }) => status !== 'pending'));
    };

    await send();
    const first = now;
    expect(await read()).toMatchObject({ enabled: true, failing_since: iso(first) });
    now += 3 * DAY_MS - 1;
    await send();
    expect(await read()).toMatchObject({ enabled: true, failing_since: iso(first) });
    isDown = false;
    await send();
    expect(await read()).toMatchObject({ enabled: true, failing_since: null });
    isDown = true;
    now += 1;
    const second = now;
    await send();
    now += 3 * DAY_MS;
    await send();
    expect(await read()).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: iso(now),
      failing_since: iso(second),
    });
    await until(() => deployment.receiver.at('/watching').length === 1);
    const { records } = await webhooks.listEvents('acct_a', { limit: 9, type: 'webhook_endpoint.disabled' });
    expect(records.map(({ timestamp }) => timestamp)).toEqual([iso(now)]);
    await report('unsent');
    await webhooks.listEvents('acct_a', { limit: 1 });
    expect(deployment.receiver.at('/failing')).toHaveLength(sent);
    const enabled = await webhooks.endpoints.change('acct_a', id, { enabled: true });
    expect([enabled.enabled, enabled.failing_since]).toEqual([true, null]);
  });

  test('the event of a disabled endpoint is stored before a change could hide it', async () => {
    await using deployment = await open();
    const process = await deployment.process();
    const { webhooks } = process;
    const records = await deployment.store.collection(endpointsSpec);
    // As if the process had died after the write that disabled the endpoint.
    const disable = async (id: string, at: number) => {
      const state = { enabled: false, disabledReason: 'gone', disabledAt: at, unreportedAt: at } as const;
      expect(await records.update({ id }, state)).not.toBeNull();
    };
    const [changed, removed] = [
      await subscribe(process, deployment.receiver.url('/a')),
      await subscribe(process, deployment.receiver.url('/b')),
    ];
    for (const at of [1_790_000_000_000, 1_790_000_000_001]) {
      await disable(changed, at);
      expect((await webhooks.endpoints.change('acct_a', changed, { enabled: true })).enabled).toBe(true);
    }
    await disable(removed, 1_790_000_000_002);
    await webhooks.endpoints.remove('acct_a', removed);
    const events = await webhooks.listEvents('acct_a', { limit: 9 });
    expect(events.records.map(({ data }) => (data as { id: string }).id).toSorted()).toEqual(
      [removed, changed, changed].toSorted(),
    );
  });

  test('a pending delivery to an endpoint that is disabled or deleted is not sent', async () => {
    await using deployment = await open();
    const process = await deployment.process();
    const { webhooks, jobs } = process;
    const { report } = await openChanges(deployment, webhooks);
    const off = await subscribe(process, deployment.receiver.url('/off'));
    const gone = await subscribe(process, deployment.receiver.url('/gone'));
    await report('c1');
    await webhooks.listEvents('acct_a', { limit: 1 });
    await webhooks.endpoints.change('acct_a', off, { enabled: false });
    await webhooks.endpoints.remove('acct_a', gone);
    // The request deletes none of them, because an account can have very many.
    expect((await deployment.deliveries()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    await jobs.start();
    await until(async () => (await deployment.deliveries()).every(({ status }) => status !== 'pending'));
    expect(
      (await deployment.deliveries()).map(({ url, status, lastError }) => [url, status, lastError]),
    ).toEqual([[deployment.receiver.url('/off'), 'failed', 'the endpoint is disabled']]);
    expect(deployment.receiver.received).toEqual([]);
  });
});
