import { describe, expect, test } from 'bun:test';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { CERTIFICATE_PASSWORD, certificateFile } from '../../support/signatures/certificates.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

const RECEIVER = 'http://127.0.0.1:9/hook';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const service = sharedService({ env: { EGRESS_ALLOW: new URL(RECEIVER).host } });

type Body = Record<string, unknown>;

async function post(path: string, body: Body, key: string): Promise<Body> {
  const answer = await service().request('POST', path, { body, key });
  expect([path, Math.floor(answer.status / 100)]).toEqual([path, 2]);
  return answer.body;
}

/** A list: its path, the field that names an entry, and a function that adds an entry. */
interface List {
  path: string;
  id?: string;
  /** Creates a key of a new account that may read the list; without it, one with the usual scopes. */
  newKey?: () => Promise<string>;
  add: (key: string, index: number) => Promise<unknown>;
}

const template = { name: 'Letter', html_content: '<p>Dear {{name}}</p>' };

/** Creates a key that may create keys. */
async function newKeyForKeys(): Promise<string> {
  const { accounts } = service();
  const owner = { email: `${crypto.randomUUID()}@example.com`, plan: 'enterprise' } as const;
  const limits = { scopes: ['keys', 'generate'] } as const;
  return (await accounts.createKey(await accounts.findOrCreate(owner), 'keys', { limits })).key;
}

const pkcs12 = certificateFile('ec.p12').toString('base64');

const lists: readonly List[] = [
  { path: '/v1/generations', add: (key) => post('/v1/generate', { html: 'x' }, key) },
  { path: '/v1/files', add: (key) => post('/v1/files', { file: samplePdf }, key) },
  {
    path: '/v1/assets',
    id: 'name',
    add: (key, index) => post('/v1/assets', { name: `logo-${index}.png`, file: PIXEL }, key),
  },
  { path: '/v1/templates', add: (key) => post('/v1/templates', template, key) },
  {
    path: '/v1/marketplace',
    add: async (key) =>
      post(`/v1/marketplace/${String((await post('/v1/templates', template, key))['id'])}/publish`, {}, key),
  },
  {
    path: '/v1/batches',
    id: 'batch_id',
    add: (key) => post('/v1/generate/batch', { items: [{ html: 'x' }] }, key),
  },
  {
    path: '/v1/keys',
    newKey: newKeyForKeys,
    add: (key, index) => post('/v1/keys', { name: `key ${index}` }, key),
  },
  {
    path: '/v1/certificates',
    add: (key, index) =>
      post('/v1/certificates', { name: `${index}`, pkcs12, password: CERTIFICATE_PASSWORD }, key),
  },
  {
    path: '/v1/events',
    add: (key) => post('/v1/generate', { html: 'x' }, key),
  },
  {
    path: '/v1/webhooks/deliveries',
    add: async (key) => {
      const list = '/v1/webhooks/deliveries?include=total';
      const before = (await service().get(list, key)).body.total;
      await post('/v1/generate', { html: 'x', webhook: RECEIVER }, key);
      await until(async () => (await service().get(list, key)).body.total > before);
    },
  },
];

const read = async (path: string, key: string) => {
  const { status, body } = await service().get(path, key);
  expect([path, status]).toEqual([path, 200]);
  return body as { data: Body[]; has_more: boolean; total?: number };
};

describe.each(lists.map((list) => [list.path, list] as const))(
  'GET %s',
  (path, { id: field = 'id', add, newKey = () => service().newKey('enterprise') }) => {
    test('is read completely in both directions while entries are added', async () => {
      const key = await newKey();
      for (let index = 0; index < 4; index += 1) await add(key, index);
      const idsOf = ({ data }: { data: Body[] }) => data.map((entry) => String(entry[field]));
      const whole = await read(`${path}?include=total`, key);
      const expected = idsOf(whole);
      expect(expected.length).toBeGreaterThanOrEqual(4);
      expect(whole.total).toBe(expected.length);
      expect(await read(path, key)).not.toHaveProperty('total');

      const first = await read(`${path}?limit=3`, key);
      await add(key, 4);
      const second = await read(`${path}?limit=100&starting_after=${idsOf(first).at(-1)}`, key);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(expected);
      expect([first.has_more, second.has_more]).toEqual([expected.length > 3, false]);

      const back = await read(`${path}?limit=2&ending_before=${expected[3]}`, key);
      expect(idsOf(back)).toEqual(expected.slice(1, 3));
      expect(back.has_more).toBe(true);
      const newest = await read(`${path}?limit=100&ending_before=${expected[0]}`, key);
      expect([newest.data.length, newest.has_more]).toEqual([1, false]);
    }, 60_000);

    test('refuses positions that contradict each other or do not exist', async () => {
      const key = await newKey();
      await add(key, 0);
      const [own] = (await read(`${path}?limit=1`, key)).data;
      const id = String(own?.[field]);
      for (const [query, at] of [
        [`starting_after=${id}&ending_before=${id}`, 'ending_before'],
        [`starting_after=${id}&offset=1`, 'offset'],
        ['starting_after=none', 'starting_after'],
        ['ending_before=none', 'ending_before'],
        ['starting_after=', 'starting_after'],
        ['include=everything', 'include'],
      ]) {
        const { status, body } = await service().get(`${path}?${query}`, key);
        expect([query, status]).toEqual([query, 400]);
        expect([query, body.error.details[0].path]).toEqual([query, at]);
      }
      if (path === '/v1/marketplace') return;
      const foreign = await service().get(`${path}?starting_after=${id}`, await newKey());
      expect(foreign.status).toBe(400);
    }, 60_000);
  },
);

test('versions of a template have their number as position', async () => {
  const key = await service().newKey('enterprise');
  const { id } = await post('/v1/templates', template, key);
  for (const html_content of ['2', '3', '4'])
    await service().request('PUT', `/v1/templates/${String(id)}`, { body: { html_content }, key });
  const versions = async (query: string) => {
    const { data, ...rest } = await read(`/v1/templates/${String(id)}/versions?${query}`, key);
    return [data.map(({ version }) => version), rest];
  };
  expect(await versions('limit=2&starting_after=4')).toEqual([[3, 2], { has_more: true }]);
  expect(await versions('limit=2&starting_after=3&include=total')).toEqual([
    [2, 1],
    { has_more: false, total: 4 },
  ]);
  expect(await versions('limit=2&ending_before=1')).toEqual([[3, 2], { has_more: true }]);
  expect(await versions('limit=9&ending_before=1')).toEqual([[4, 3, 2], { has_more: false }]);
  expect(await versions('ending_before=4')).toEqual([[], { has_more: false }]);
  expect(await versions('starting_after=1')).toEqual([[], { has_more: false }]);
  for (const position of ['0', '5', 'x', '1.5'])
    expect(
      (await service().get(`/v1/templates/${String(id)}/versions?starting_after=${position}`, key)).status,
    ).toBe(400);
});
