import { describe, expect, test } from 'bun:test';
import { completed, onePagers, submit } from '../../support/batch/batches.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { sendRaw } from '../../support/service/raw-http.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const rejections: [name: string, items: unknown, path: string][] = [
  ['no items', [], 'items'],
  ['101 items', onePagers(101), 'items'],
  ['items that are not a list', { html: 'x' }, 'items'],
  ['an item that is a string', [...onePagers(2), 'x'], 'items[2]'],
  ['an item without input', [...onePagers(3), { data: {} }], 'items[3]'],
  ['react that is a number', [{ react: 5 }], 'items[0].react'],
  ['empty html', [{ html: '' }], 'items[0].html'],
  ['styles that are an object', [{ html: 'x', styles: {} }], 'items[0].styles'],
  ['an unknown field', [{ html: 'x', webhook: 'https://example.com' }], 'items[0].webhook'],
  ['an unknown output', [{ html: 'x', output: 'file' }], 'items[0].output'],
  [
    'an invalid margin in the last of 18 items',
    [...onePagers(17), { html: 'x', options: { margin: '4lightyears' } }],
    'items[17].options.margin',
  ],
  [
    'margins that leave no room',
    [...onePagers(1), { html: 'x', options: { margin: '5in' } }],
    'items[1].options.margin',
  ],
  [
    'a header with a script',
    [...onePagers(4), { html: 'x', options: { header: '<script>1</script>' } }],
    'items[4].options.header',
  ],
  [
    'translations of a stored template',
    [...onePagers(1), { template: 'tmpl_x', translations: { de: {} } }],
    'items[1].translations',
  ],
  [
    'a faulty message',
    [...onePagers(1), { html: 'x', translations: { de: { total: '{' } } }],
    'items[1].translations.de.total',
  ],
  ['a language without a code', [{ html: 'x', locale: 'german' }], 'items[0].locale'],
  [
    'a version without a template',
    [{ html: 'x' }, { html: 'x', template_version: 1 }],
    'items[1].template_version',
  ],
  ['an item of over 12 MB', [{ html: 'x' }, { html: 'x'.repeat(12_000_001) }], 'items[1]'],
];

describe('POST /v1/generate/batch rejects', () => {
  test.each(rejections)('%s', async (_, items, path) => {
    const key = await service().newKey();
    const { status, body } = await submit(service(), items, { key });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.message).toStartWith(`${path}: `);
    expect(body.error.details[0].path).toBe(path);
    expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
  });

  test('a locale beside the items, with the right place', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const request = { items: onePagers(1), locale: 'de' };
    const { status, body } = await service().request('POST', '/v1/generate/batch', {
      headers,
      body: request,
    });
    expect([status, body.error.message]).toEqual([
      400,
      'locale: must be a field of each item: items[].locale',
    ]);
  });

  test.each(['file:///etc/passwd', 'https://ann:secret@example.com/', 'http://10.0.0.1/', 'nonsense'])(
    'the webhook %s',
    async (webhook) => {
      const { status, body } = await submit(service(), onePagers(1), { webhook });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('webhook');
    },
  );

  test('a body of 200 MB, and names the limit', async () => {
    const body = `{"items":[{"html":"${'x'.repeat(200_000_000)}"}]}`;
    const answer = await service().request('POST', '/v1/generate/batch', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('67108864 bytes');
  });

  test('a template if the plugin templates is off', async () => {
    const plugins = { templates: false, 'template-tests': false, marketplace: false, starters: false };
    await using bare = await TestService.start({ config: { plugins } });
    const { status, body } = await submit(bare, [{ html: 'x' }, { template: 'tmpl_x' }]);
    expect([status, body.error.details[0].path]).toEqual([400, 'items[1].template']);
  });

  test('a request without a key before reading its body', async () => {
    const headers = { 'idempotency-key': 'k' };
    const answer = await service().request('POST', '/v1/generate/batch', { body: '{', key: null, headers });
    expect(answer.status).toBe(401);
  });
});

test("another account's template fails an item as an unknown one does", async () => {
  const template = { name: 'Letter', html_content: '<p>Dear {{name}}', schema: {} };
  const { body: foreign } = await service().post('/v1/templates', template);
  const unknown = `${foreign.id.slice(0, -4)}0000`;
  const key = await service().newKey();
  const submitted = await submit(service(), [{ template: foreign.id }, { template: unknown }], { key });
  expect(submitted.status).toBe(202);
  expect(await completed(service(), submitted, key)).toMatchObject({ completed: 0, failed: 2 });
  const [first, second] = await Promise.all(
    submitted.body.generations.map(({ id }: { id: string }) => service().get(`/v1/generations/${id}`, key)),
  );
  const shapeOf = ({ status, body }: ApiResponse, templateId: string) => [
    status,
    Object.keys(body),
    body.status,
    body.error.replace(templateId, 'ID'),
  ];
  expect(shapeOf(first, foreign.id)).toEqual(shapeOf(second, unknown));
  expect(first.body.error).toBe(`TEMPLATE_NOT_FOUND: template ${foreign.id} not found`);
});

test('only the items with a deleted template fail', async () => {
  const template = { name: 'Letter', html_content: '<p>Dear {{name}}', schema: {} };
  const { body: made } = await service().post('/v1/templates', template);
  const items = [{ template: made.id, data: { name: 'Ada' } }, { html: 'x' }];
  expect(await completed(service(), await submit(service(), items))).toMatchObject({ completed: 2 });
  await service().request('DELETE', `/v1/templates/${made.id}`);
  const accepted = await submit(service(), items);
  expect(await completed(service(), accepted)).toMatchObject({ completed: 1, failed: 1 });
  const { body } = await service().get(`/v1/generations/${accepted.body.generations[0].id}`);
  expect(body.error).toBe(`TEMPLATE_NOT_FOUND: template ${made.id} not found`);
});

describe('Idempotency-Key', () => {
  const withKey = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } });

  test('a repeated key gets the original response whatever the body, and creates nothing', async () => {
    const key = await service().newKey();
    const first = await submit(service(), onePagers(2), { key, ...withKey('order-1') });
    await completed(service(), first, key);
    const second = await submit(service(), onePagers(5), { key, ...withKey('order-1') });
    const third = await service().request('POST', '/v1/generate/batch', {
      body: 'no JSON',
      key,
      ...withKey('order-1'),
    });
    for (const replay of [second, third]) {
      expect(replay.status).toBe(202);
      expect(replay.body).toEqual(first.body);
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect((await service().get('/v1/generations', key)).body.data.length).toBe(2);
  });

  test('concurrent duplicates create one batch; other accounts and other keys are independent', async () => {
    const key = await service().newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => submit(service(), onePagers(3), { key, ...withKey('order-2') })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length).toBe(1);
    const other = await submit(service(), onePagers(1), withKey('order-2'));
    const next = await submit(service(), onePagers(1), { key, ...withKey('order-3') });
    const ids = [answers[0], other, next].map((answer) => answer?.body.batch_id);
    expect(new Set(ids).size).toBe(3);
    const [first] = answers;
    if (!first) throw new Error('no answer');
    await completed(service(), first, key);
    expect((await service().get('/v1/generations', key)).body.data.length).toBe(4);
  });

  test('a request with an invalid body does not use up the key', async () => {
    expect((await submit(service(), [], withKey('order-4'))).status).toBe(400);
    const accepted = await submit(service(), onePagers(1), withKey('order-4'));
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('idempotent-replayed')).toBeNull();
  });

  test.each([
    ['that is empty', ''],
    ['of 300 characters', 'k'.repeat(300)],
    ['with a tab', 'a\tb'],
    ['with another control character', 'a\u0085b'],
  ])('a key %s is rejected', async (_, idempotencyKey) => {
    const { status, body } = await submit(service(), onePagers(1), withKey(idempotencyKey));
    expect(status).toBe(400);
    expect(body.error.message).toStartWith('Idempotency-Key: ');
  });

  test('a key in UTF-8 is accepted, and its length is counted in characters', async () => {
    const sent = (text: string) => withKey(Buffer.from(text, 'utf8').toString('latin1'));
    const first = await submit(service(), onePagers(1), sent('ключ '.repeat(51).trim()));
    const second = await submit(service(), onePagers(2), sent('ключ '.repeat(51).trim()));
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect((await submit(service(), onePagers(1), sent('ж'.repeat(256)))).status).toBe(400);
  });

  test('a key with a control character in raw HTTP is rejected', async () => {
    const answer = await sendRaw(
      service().url,
      `POST /v1/generate/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service().key}\r\n` +
        'Content-Type: application/json\r\nIdempotency-Key: a\u0001b\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(answer).toStartWith('HTTP/1.1 400');
  });
});
