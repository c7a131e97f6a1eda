import { beforeAll, describe, expect, test } from 'bun:test';
import { SCOPES } from '../../../src/accounts/scopes.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

let auditor = '';
let templateId = '';

/** Lists the entries of the account of this file. */
const list = async (query = '', key = auditor) => (await service().get(`/v1/audit${query}`, key)).body;
const actionsOf = (body: { data: { action: string }[] }) => body.data.map(({ action }) => action);

beforeAll(async () => {
  auditor = await service().newKeyOfAccount({ scopes: SCOPES });
  const { body } = await service().post('/v1/templates', { name: 'Letter', html_content: '<p>a</p>' });
  templateId = body.id;
  await service().request('PUT', `/v1/templates/${templateId}`, { body: { html_content: '<p>b</p>' } });
  await service().post('/v1/keys', { name: '=1+1, "new"' }, auditor);
  await service().request('DELETE', `/v1/templates/${templateId}`);
});

describe('GET /v1/audit', () => {
  test('lists what was changed, newest first', async () => {
    const body = await list();
    expect(actionsOf(body)).toEqual([
      'template.deleted',
      'key.created',
      'template.updated',
      'template.created',
    ]);
    expect(body.has_more).toBe(false);
    expect(body.data[3]).toEqual({
      id: expect.stringMatching(/^aud_\w{24}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { type: 'key', id: expect.stringMatching(/^key_/), name: 'test' },
      action: 'template.created',
      target: templateId,
      ip: '127.0.0.1',
      request_id: expect.stringMatching(/^req_/),
      outcome: 'completed',
    });
  });

  test('pages like every list', async () => {
    const first = await list('?limit=3&include=total');
    expect([first.data.length, first.has_more, first.total]).toEqual([3, true, 4]);
    expect(actionsOf(await list(`?starting_after=${first.data[2].id}`))).toEqual(['template.created']);
    expect(actionsOf(await list(`?ending_before=${first.data[1].id}`))).toEqual(['template.deleted']);
    expect(actionsOf(await list('?offset=3'))).toEqual(['template.created']);
  });

  test('filters by actor, action and time', async () => {
    const [, created] = (await list()).data;
    expect(actionsOf(await list(`?actor=${created.actor.id}`))).toEqual(['key.created']);
    expect((await list('?actor=key&include=total&limit=1')).total).toBe(4);
    expect((await list('?actor=command')).data).toEqual([]);
    expect(actionsOf(await list('?action=key.created'))).toEqual(['key.created']);
    expect((await list('?action=template.*')).data.length).toBe(3);
    expect((await list(`?since=${created.at}`)).data.length).toBeGreaterThanOrEqual(2);
    expect((await list('?since=2999-01-01')).data).toEqual([]);
    expect((await list('?until=2999-01-01T00:00:00%2B01:00')).data.length).toBe(4);
    expect((await list('?until=2020-01-01')).data).toEqual([]);
  });

  test.each([
    ['action=key', 'action'],
    ['action=*', 'action'],
    ['action=key.%2A%2A', 'action'],
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
    ['since=2026-02-02&until=2026-02-01', 'until'],
    ['actor=', 'actor'],
    ['limit=101', 'limit'],
    ['starting_after=aud_none', 'starting_after'],
    ['from=2026-01-01', 'from'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await service().get(`/v1/audit?${query}`, auditor);
    expect(status).toBe(400);
    expect(body.error.message).toContain(field);
  });

  test('needs the scope audit, which a key has only if its creator names it', async () => {
    const { status, body } = await service().get('/v1/audit');
    expect([status, body.error.message]).toEqual([403, 'the API key lacks the scope "audit"']);
    expect((await service().get('/v1/audit/export')).status).toBe(403);
  });

  test('shows no entry of another account, also beside one of its entries', async () => {
    const other = await service().forNewAccount();
    const key = await other.newKeyOfAccount({ scopes: ['audit', 'templates:write'] });
    expect((await list('', key)).data).toEqual([]);
    const [own] = (await list()).data;
    const { status } = await service().get(`/v1/audit?starting_after=${own.id}`, key);
    expect(status).toBe(400);
    expect((await list(`?actor=${own.actor.id}`, key)).data).toEqual([]);
    // The entry of a refused change to a foreign template belongs to nobody.
    await service().request('DELETE', `/v1/templates/${templateId}`, { key });
    expect((await list('', key)).data).toEqual([]);
  });
});

describe('GET /v1/audit/export', () => {
  const read = async (query: string) => {
    const headers = { authorization: `Bearer ${auditor}` };
    const response = await fetch(`${service().url}/v1/audit/export${query}`, { headers });
    return { response, text: await response.text() };
  };

  test('sends CSV, which no spreadsheet runs as a formula', async () => {
    const { body } = await service().post('/v1/keys', { name: '=1+1, "x"', scopes: SCOPES }, auditor);
    await service().request('DELETE', `/v1/keys/${body.id}`, { key: body.key });
    const { response, text } = await read('?action=key.revoked');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, line, end] = text.split('\r\n');
    expect(head).toBe('id,at,actor_type,actor_id,actor_name,action,target,ip,request_id,outcome');
    expect(line).toMatch(
      new RegExp(
        `^aud_\\w+,[^,]+Z,key,${body.id},"'=1\\+1, ""x""",key.revoked,${body.id},127.0.0.1,req_\\w+,completed$`,
      ),
    );
    expect(end).toBe('');
  });

  test('sends the entries of the list as lines of JSON', async () => {
    const { response, text } = await read('?format=ndjson&action=template.*');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((await list('?action=template.*')).data);
    expect((await read('?format=ndjson&until=2020-01-01')).text).toBe('');
  });

  test('is itself recorded', async () => {
    await read('?format=ndjson');
    expect(actionsOf(await list('?limit=1'))).toEqual(['audit.exported']);
  });

  test.each(['format=xml', 'action=key', 'limit=1'])('rejects %s', async (query) => {
    expect((await read(`?${query}`)).response.status).toBe(400);
  });
});
