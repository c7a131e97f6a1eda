import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { DiskReserve } from '../../../src/disk-reserve.ts';
import { made, onFullDisk, openStore } from '../../support/service/full-disk.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';
import { onMongoAndS3 } from '../../support/suite.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

const draft = { name: 'a', html_content: '<p>a</p>' };

async function makeTemplate(owner: Browser): Promise<string> {
  const { id } = await made(owner.post('/v1/templates', draft));
  await made(owner.put(`/v1/templates/${id}`, { html_content: '<p>b</p>' }));
  return id;
}

/** Waits until the events of earlier requests are stored. */
async function storeEvents(owner: Browser): Promise<void> {
  await made(owner.get('/v1/events?limit=1'));
}

/**
 * Changes a template while the disk fills up. The entry of the audit log still finds room; no later insert
 * does, so the event of the change waits.
 */
async function changeOnLastRoom(owner: Browser, id: string, change: object): Promise<ApiResponse> {
  // They must not take the room.
  await storeEvents(owner);
  spyOn(DiskReserve.prototype, 'admits').mockReturnValueOnce(true);
  return owner.put(`/v1/templates/${id}`, change);
}

async function renameTenTimes(owner: Browser, id: string): Promise<void> {
  for (let number = 1; number <= 10; number += 1)
    await made(changeOnLastRoom(owner, id, { name: `Name ${number}` }));
}

/**
 * Stores what a deletion needs while the disk has room, and returns the function that fills the disk and sends
 * the request. The owner is that of all tests.
 */
type Prepare = (owner: Browser) => Promise<() => Promise<ApiResponse>>;

/** The deletions of records whose event waits. */
const DELETIONS: Record<string, Prepare> = {
  'deleting a template that was changed while the disk filled up': async (owner) => {
    const id = await makeTemplate(owner);
    return async () => {
      await made(changeOnLastRoom(owner, id, { name: 'b' }));
      return owner.delete(`/v1/templates/${id}`);
    };
  },
  'moving a template that was changed while the disk filled up to the trash': async (owner) => {
    const id = await makeTemplate(owner);
    return async () => {
      await made(changeOnLastRoom(owner, id, { name: 'b' }));
      return owner.post(`/studio/api/trash/templates/${id}`);
    };
  },
  'deleting a draft after ten changes whose events wait': async (owner) => {
    const id = await makeTemplate(owner);
    const { version } = await made(owner.put(`/v1/templates/${id}`, { html_content: 'c', draft: true }));
    return async () => {
      await renameTenTimes(owner, id);
      return owner.delete(`/v1/templates/${id}/versions/${version}`);
    };
  },
  'deleting an endpoint whose event waits': async (owner) => {
    const endpoint = { url: 'https://example.com/gone', events: ['webhook_endpoint.*'] };
    const { id } = await made(owner.post('/v1/webhook-endpoints', endpoint));
    const store = await openStore(service());
    const now = Date.now();
    const change = { enabled: false, disabledReason: 'gone', disabledAt: now, unreportedAt: now };
    await (await store.collection({ name: 'webhook_endpoints' })).update({ id }, change);
    await store.close();
    return () => owner.delete(`/v1/webhook-endpoints/${id}`);
  },
};

// MongoDB and S3 have no reserve.
describe.skipIf(onMongoAndS3)('on a full disk', () => {
  let owner: Browser;
  beforeAll(async () => {
    owner = await Browser.signedIn(service());
  });

  test.each(Object.entries(DELETIONS))('%s works', async (_, prepare) => {
    const run = await prepare(owner);
    await storeEvents(owner);
    const { status, body } = await onFullDisk(async () => {
      expect((await service().post('/v1/templates', draft)).status).toBe(503);
      return run();
    });
    expect({ isSuccess: status < 300, error: body?.error }).toEqual({ isSuccess: true, error: undefined });
  });

  test.each([
    ['deleting', (browser: Browser, id: string) => browser.delete(`/v1/templates/${id}`)],
    ['trashing', (browser: Browser, id: string) => browser.post(`/studio/api/trash/templates/${id}`)],
  ])('%s a template stores the events that wait, with their deliveries', async (_, remove) => {
    const ann = await Browser.signedIn(service());
    const { id } = await made(ann.post('/v1/templates', draft));
    const endpoint = { url: 'https://example.com/hook', events: ['template.updated'] };
    await made(ann.post('/v1/webhook-endpoints', endpoint));
    const list = async (path: string) => (await made(ann.get(path))).data;
    await storeEvents(ann);
    await onFullDisk(async () => {
      await renameTenTimes(ann, id);
      expect(await list('/v1/events')).toEqual([]);
      // The eleventh change is refused like one of the HTML.
      for (const change of [{ name: 'Name 11' }, { html_content: '<p>c</p>' }]) {
        const { status, body } = await changeOnLastRoom(ann, id, change);
        expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
      }
      await made(remove(ann, id));
      const events: { id: string; data: { name: string } }[] = await list('/v1/events');
      const names = Array.from({ length: 10 }, (__, index) => `Name ${index + 1}`);
      expect(events.map(({ data }) => data.name).toSorted()).toEqual(names.toSorted());
      const deliveries: { event_id: string; status: string }[] = await list('/v1/webhooks/deliveries');
      expect(deliveries.map(({ status }) => status)).toEqual(names.map(() => 'pending'));
      expect(deliveries.map((delivery) => delivery.event_id).toSorted()).toEqual(
        events.map((event) => event.id).toSorted(),
      );
    });
  });
});
