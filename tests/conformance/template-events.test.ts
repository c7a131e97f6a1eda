import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { templateData } from '../../plugins/templates/account-data.ts';
import { openTemplateEvents } from '../../plugins/templates/events.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);

const deployments: [string, () => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];
const ANN = 'acct_a';

/** Opens the templates of a process, which dies at one of its writes. */
async function openProcess(deployment: Deployment, dying = new DyingProcess()) {
  const store = dying.store(deployment.store);
  const { webhooks, jobs } = await deployment.process({ store });
  const collections = await openTemplates(store);
  const events = openTemplateEvents({ ...collections, webhooks });
  const service = createTemplatesService(collections, { ...inProcess, events });
  /** As if the process died after each write that changes a template. */
  const silent = createTemplatesService(collections, { ...inProcess, events: { ...events, report() {} } });
  const make = async () => {
    const input = { name: 'Letter', category: 'letter', html: 'one', schema: {} } as const;
    return (await service.create(ANN, input)).id;
  };
  /** Lists the events of a template, the oldest change first. */
  const eventsOf = async (id: string) => {
    const { records } = await webhooks.listEvents(ANN, { limit: 100, type: 'template.updated' });
    const found = records.map(({ data, ...event }) => ({
      ...event,
      data: data as { id: string; name: string; version: number; updated_at: string },
    }));
    return found
      .filter(({ data }) => data.id === id)
      .toSorted((a, b) => a.data.version - b.data.version || (a.timestamp < b.timestamp ? -1 : 1));
  };
  const { templates } = collections;
  return { webhooks, jobs, events, collections, templates, service, silent, make, eventsOf };
}

/** Starts another process, whose sweep stores what dead processes have left. */
async function repair(deployment: Deployment) {
  const { jobs, templates } = await openProcess(deployment);
  await jobs.start();
  await until(async () => (await templates.count({ unreportedAt: { gte: 0 } })) === 0);
  await jobs.stop(5_000);
}

describe.each(deployments)('events of templates on %s', (_, open) => {
  test('a change that is interrupted at any write has one event if it took place, and none if not', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    const { service, make, eventsOf, webhooks } = await openProcess(deployment);
    const endpoint = { url: deployment.receiver.url('/hook'), description: null, enabled: true };
    await webhooks.endpoints.create(ANN, { ...endpoint, events: ['template.*'] });
    const broken = await openProcess(deployment, dying);
    const took: boolean[] = [];
    let sent = 0;
    for (let dieAt = 1, survived = false; !survived; dieAt += 1) {
      const id = await make();
      dying.revive({ dieAt });
      await broken.service.update(ANN, id, { html: 'two', name: 'New' }).catch(() => {});
      await broken.webhooks.close();
      survived = dying.writes < dieAt;
      dying.revive();
      await repair(deployment);

      const { version, name } = await service.get(ANN, id);
      took.push(version === 2);
      const expected = version === 2 ? [{ version: 2, name: 'New' }] : [];
      expect((await eventsOf(id)).map(({ data }) => data)).toMatchObject(expected);
      expect(name).toBe(version === 2 ? 'New' : 'Letter');
      await service.update(ANN, id, { html: 'next' });
      const after = await eventsOf(id);
      expect(after.map(({ data }) => data.version)).toEqual([...expected.map(() => 2), version + 1]);
      sent += after.length;
      expect(await deployment.deliveries()).toHaveLength(sent);
    }
    // Content, record of version 1, template; then event, delivery, job, mark, and text to search.
    expect(took.slice(0, 3)).toEqual([false, false, false]);
    expect(took.slice(3)).toEqual(took.slice(3).map(() => true));
    expect(took.length).toBeGreaterThanOrEqual(8);
  });

  test('each of many changes at the same time, by two processes, has one event', async () => {
    await using deployment = await open();
    const one = await openProcess(deployment);
    const two = await openProcess(deployment);
    const id = await one.make();
    await Promise.all(
      Array.from({ length: 24 }, (__, index) =>
        (index % 2 ? one : two).service.update(
          ANN,
          id,
          index < 12 ? { html: `html ${index}` } : { name: `Name ${index}` },
        ),
      ),
    );
    await two.eventsOf(id);
    const found = await one.eventsOf(id);
    expect(found).toHaveLength(24);
    expect(new Set(found.map(({ id: eventId }) => eventId)).size).toBe(24);
    expect([...new Set(found.map(({ data }) => data.version))].at(-1)).toBe(13);
    const names = new Set(found.map(({ data }) => data.name));
    for (let index = 12; index < 24; index += 1) expect(names).toContain(`Name ${index}`);
    for (const { timestamp, data } of found) expect(timestamp).toBe(data.updated_at);
    expect(await one.templates.count({ unreportedAt: null, unreported: null })).toBe(1);
  });

  test('the events of a template are stored before it is deleted or moves to the trash', async () => {
    await using deployment = await open();
    const { service, silent, make, eventsOf } = await openProcess(deployment);
    const names = async (id: string) => (await eventsOf(id)).map(({ data }) => data.name);
    const [removed, trashed] = [await make(), await make()];
    for (const id of [removed, trashed]) {
      await silent.update(ANN, id, { name: 'Second' });
      await silent.update(ANN, id, { name: 'Third' });
      expect(await eventsOf(id)).toEqual([]);
    }
    await service.remove(ANN, removed);
    expect(await names(removed)).toEqual(['Second', 'Third']);
    await service.trash.discard(ANN, trashed);
    expect(await names(trashed)).toEqual(['Second', 'Third']);
    await service.trash.restore(ANN, trashed);
    await service.update(ANN, trashed, { name: 'Fourth' });
    expect(await names(trashed)).toEqual(['Second', 'Third', 'Fourth']);
  });

  test('an export has no events that wait, and an erasure leaves none', async () => {
    await using deployment = await open();
    const { silent, collections, make, eventsOf } = await openProcess(deployment);
    const [data] = templateData(collections);
    if (!data) throw new Error('the plugin has no data');
    const exported = async () => JSON.stringify(await Array.fromAsync(data.read(ANN)));
    const id = await make();
    await silent.update(ANN, id, { name: 'Second' });
    expect(await exported()).toContain('"name":"Second"');
    expect(await exported()).not.toMatch(/unreported|eventCount|template\.updated/);
    await data.delete(ANN);
    await repair(deployment);
    expect(await eventsOf(id)).toEqual([]);
  });

  test('a process that stores an event late does not mark a newer one as stored', async () => {
    await using deployment = await open();
    const { silent, templates, events, make, eventsOf } = await openProcess(deployment);
    const names = async (id: string) => (await eventsOf(id)).map(({ data }) => data.name);
    const id = await make();
    await silent.update(ANN, id, { name: 'Second' });
    const second = await templates.get(id);
    if (!second) throw new Error('no template');
    await silent.update(ANN, id, { name: 'Third' });
    await events.store(second);
    expect(await names(id)).toEqual(['Second']);
    await repair(deployment);
    expect(await names(id)).toEqual(['Second', 'Third']);
  });

  test('at most ten events wait; the next change stores them first', async () => {
    await using deployment = await open();
    const { silent, templates, make, eventsOf } = await openProcess(deployment);
    const id = await make();
    const waiting = async () => (await templates.get(id))?.unreported?.length;
    for (let number = 1; number <= 10; number += 1) await silent.update(ANN, id, { name: `Name ${number}` });
    expect([await waiting(), (await eventsOf(id)).length]).toEqual([10, 0]);
    await silent.update(ANN, id, { name: 'Name 11' });
    expect([await waiting(), (await eventsOf(id)).length]).toEqual([1, 10]);
    await repair(deployment);
    const found = await eventsOf(id);
    expect(new Set(found.map(({ data }) => data.name)).size).toBe(11);
  });
});
