import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { CollectionSpec } from '../../src/store/store.ts';
import { eventsSpec } from '../../src/webhooks/event.ts';
import type { OpenWebhooks } from '../../src/webhooks/webhooks.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
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
const deployments: [string, () => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];

const change = (id: string): Change => ({ id, accountId: 'acct_a', unreportedAt: 1_790_000_000_000 });

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
  });
  return { collection, outbox };
}

const eventsOf = async (webhooks: OpenWebhooks) =>
  (await webhooks.listEvents('acct_a', { limit: 100 })).records.map(({ data }) => data);

describe.each(deployments)('events on %s', (_, open) => {
  test('the event of a change is listed at once, and the record no longer says that it is due', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.process();
    const { collection, outbox } = await openChanges(deployment, webhooks);
    await collection.insert(change('c1'));
    outbox.report(change('c1'));
    outbox.report(change('c1'));
    expect((await webhooks.listEvents('acct_a', { limit: 1 })).records).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'generation.completed',
        timestamp: '2026-09-21T14:13:20.000Z',
        stored_at: expect.any(String),
        data: { id: 'c1' },
      },
    ]);
    expect((await collection.get('c1'))?.unreportedAt).toBeNull();
    const [event] = await (await deployment.store.collection(eventsSpec)).find();
    expect((event?.expiresAt ?? 0) - (event?.createdAt ?? 0)).toBe(30 * 24 * 3_600_000);
  });

  test('a process that died before or while it stored an event leaves it to the others, once', async () => {
    await using deployment = await open();
    const dying = await deployment.process();
    const { collection, outbox } = await openChanges(deployment, dying.webhooks, () => {
      throw new Error('the process dies before it notes that the event is stored');
    });
    await collection.insertMany([
      change('before'),
      change('during'),
      { ...change('old'), unreportedAt: null },
    ]);
    outbox.report(change('during'));
    expect(await eventsOf(dying.webhooks)).toEqual([{ id: 'during' }]);
    expect((await collection.get('during'))?.unreportedAt).toBe(1_790_000_000_000);

    const others = await Promise.all([deployment.process(), deployment.process()]);
    for (const { webhooks } of others) await openChanges(deployment, webhooks);
    await Promise.all(others.map(({ jobs }) => jobs.start()));
    await until(async () => (await collection.count({ unreportedAt: null })) === 3);
    for (const { webhooks } of others)
      expect(
        (await eventsOf(webhooks)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      ).toEqual([{ id: 'before' }, { id: 'during' }]);
  });

  test('an event of a record that is deleted at the same time is deleted', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.process();
    const { collection, outbox } = await openChanges(deployment, webhooks);
    // Deleted between the change and its event.
    outbox.report(change('gone'));
    expect(await eventsOf(webhooks)).toEqual([]);
    await collection.insert(change('deleted'));
    outbox.report(change('deleted'));
    await webhooks.delete(['generation.completed:deleted']);
    expect(await eventsOf(webhooks)).toEqual([]);
  });

  test('a corrected event shows the correction', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.process();
    const { collection, outbox } = await openChanges(deployment, webhooks);
    await collection.insert(change('c1'));
    outbox.report(change('c1'));
    expect(await eventsOf(webhooks)).toEqual([{ id: 'c1' }]);
    await webhooks.edit('generation.completed:c1', () => ({ id: 'corrected' }));
    expect(await eventsOf(webhooks)).toEqual([{ id: 'corrected' }]);
  });
});
