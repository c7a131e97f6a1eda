import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { Receiver, verify } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = extendedService();
const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());

const DRAFT = { html_content: '<p>Draft</p>', draft: true };

const send = async (key: string, method: string, path: string, body?: object) => {
  const answer = await service().request(method, path, { key, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const create = async (key: string, fields: object = {}): Promise<string> =>
  (await send(key, 'POST', '/v1/templates', { name: 'Letter', html_content: '<p>One</p>', ...fields })).id;
const put = (key: string, id: string, body: object) => send(key, 'PUT', `/v1/templates/${id}`, body);
const eventsOf = async (key: string): Promise<ApiResponse['body'][]> =>
  (await service().get('/v1/events?type=template.*', key)).body.data;

describe('template.updated', () => {
  test('reaches an endpoint with the template as it is listed', async () => {
    const key = await service().newKey();
    const endpoint = await send(key, 'POST', '/v1/webhook-endpoints', {
      url: receiver.url('/updated'),
      events: ['template.*'],
    });
    const id = await create(key, { schema: { name: 'string' } });
    const updated = await put(key, id, {
      html_content: '<p>Two {{name}}</p>',
      alias: 'letter',
      tags: ['sales'],
    });
    const [listed] = (await service().get('/v1/templates', key)).body.data;
    await until(() => receiver.at('/updated').length === 1);
    const [request] = receiver.at('/updated');
    if (!request) throw new Error('the event has not arrived');
    expect(verify(endpoint.secret, request)).toEqual({
      type: 'template.updated',
      timestamp: updated.updated_at,
      data: {
        id,
        name: 'Letter',
        category: 'other',
        schema: { name: 'string' },
        version: 2,
        current_version: 2,
        draft_version: null,
        is_public: false,
        format: 'html',
        partial: false,
        require_checks: false,
        alias: 'letter',
        tags: ['sales'],
        created_at: updated.created_at,
        updated_at: updated.updated_at,
      },
    });
    const [event] = await eventsOf(key);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      type: 'template.updated',
      timestamp: updated.updated_at,
      stored_at: expect.any(String),
      data: listed,
    });
    expect((await service().get(`/v1/events/${event.id}`, key)).body).toEqual(event);
    const [delivery] = (await service().get('/v1/webhooks/deliveries', key)).body.data;
    expect([delivery.event, delivery.event_id]).toEqual(['template.updated', event.id]);
  });

  test('is stored for each change of the current version or of what names it, and for nothing else', async () => {
    const key = await service().newKey();
    const id = await create(key);
    let version = 1;
    let count = 0;
    const expectEvents = async (more: number) => {
      const events = await eventsOf(key);
      expect(events.length - count).toBe(more);
      count = events.length;
      for (const { data } of events.slice(0, more)) expect([data.id, data.version]).toEqual([id, version]);
    };
    await expectEvents(0);
    for (const body of [
      { name: 'Invoice' },
      { category: 'invoice' },
      { alias: 'invoice' },
      { alias: null },
      { tags: ['a'] },
      { schema: { total: 'number' } },
      { options: { format: 'A5' } },
      { sample_data: { total: 1 } },
      { partial: true },
    ]) {
      await put(key, id, body);
      await expectEvents(1);
      // The same values again change nothing.
      await put(key, id, body);
      await expectEvents(0);
    }
    await put(key, id, { html_content: '<p>Two</p>' });
    version = 2;
    await expectEvents(1);
    const draft = await put(key, id, DRAFT);
    await send(key, 'DELETE', `/v1/templates/${id}/versions/${draft.version}`);
    const promoted = (await put(key, id, DRAFT)).version;
    await expectEvents(0);
    const promote = `/v1/templates/${id}/versions/${promoted}/promote`;
    await send(key, 'POST', promote);
    version = promoted;
    await expectEvents(1);
    await send(key, 'POST', promote);
    await expectEvents(0);
    version = (await send(key, 'POST', `/v1/templates/${id}/versions/1/restore`)).version;
    await expectEvents(1);
    const refused = await service().request('PUT', `/v1/templates/${id}`, { key, body: { name: '' } });
    expect(refused.status).toBe(400);
    await send(key, 'POST', `/v1/marketplace/${id}/publish`, {});
    await send(key, 'DELETE', `/v1/templates/${id}`);
    // The events of a template that is deleted stay.
    await expectEvents(0);
  });

  test('is not sent to other accounts, and a sample of it can be asked for', async () => {
    const [owner, other] = [await service().newKey(), await service().newKey()];
    const subscription = { url: receiver.url('/sample'), events: ['template.updated'] };
    const endpoint = await send(other, 'POST', '/v1/webhook-endpoints', subscription);
    await put(owner, await create(owner), { name: 'Other' });
    expect(await eventsOf(other)).toEqual([]);
    await send(other, 'POST', `/v1/webhook-endpoints/${endpoint.id}/test`, {});
    await until(() => receiver.at('/sample').length === 1);
    const { type, test: isTest, data } = JSON.parse(receiver.at('/sample')[0]?.body ?? '');
    expect([type, isTest, data.name]).toEqual(['template.updated', true, 'Invoice']);
  });
});
