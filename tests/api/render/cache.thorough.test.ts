import { describe, expect, test } from 'bun:test';
import { until } from '../../support/until.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService({ config: { plugins: { render: { cacheSeconds: 600 } } } });
const uncached = sharedService();

/** Makes a PDF for an account. */
async function generate(body: object, account = service()) {
  const response = await account.post('/v1/generate', body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return { ...response.body, cache: response.headers.get('platen-cache') };
}

/** Makes the same PDF twice, and returns whether the second one came from the cache. */
async function second(body: object) {
  const account = await service().forNewAccount();
  expect((await generate(body, account)).cache).toBe('miss');
  return (await generate(body, account)).cache;
}

const INVOICE = { html: '<h1>Invoice {{number}}</h1><p>{{name}}</p>', data: { number: 1, name: 'Ada' } };

describe('an identical request', () => {
  test('gets the same PDF as a new generation, which counts and lives on its own', async () => {
    const account = await service().forNewAccount();
    const first = await generate(INVOICE, account);
    const again = await generate({ ...INVOICE, reference: 'second', file_name: 'b.pdf' }, account);
    expect([first.cache, again.cache]).toEqual(['miss', 'hit']);
    expect(again.id).not.toBe(first.id);
    expect(again).toMatchObject({ pages: 1, reference: 'second', file_name: 'b.pdf', warnings: [] });
    const [one, two] = await Promise.all([account.download(first.url), account.download(again.url)]);
    expect(Buffer.from(two).equals(Buffer.from(one))).toBe(true);
    await until(async () => (await account.get('/v1/usage')).body.used >= 2);
    const { body } = await account.get(`/v1/generations/${again.id}?receipt=true`);
    expect(body.receipt.class).toBe('plain');
    expect(Object.keys(body.receipt.phases)).not.toContain('print');

    expect((await account.request('DELETE', `/v1/generations/${first.id}`)).status).toBe(204);
    expect(Buffer.from(await account.download(again.url)).equals(Buffer.from(one))).toBe(true);
    // The PDF that was printed is gone.
    expect((await generate(INVOICE, account)).cache).toBe('miss');
    expect((await generate(INVOICE, account)).cache).toBe('hit');
  });

  test('is printed again once its template stays with the earlier browser', async () => {
    const account = await service().forNewAccount();
    const template = { name: 'Note', html_content: '<p>Note {{number}}</p>' };
    const { id } = (await account.post('/v1/templates', template)).body;
    const body = { template: id, data: { number: 1 } };
    await generate(body, account);
    expect((await generate(body, account)).cache).toBe('hit');
    const change = { body: { options: { browser: 'earlier' } } };
    expect((await account.request('PUT', `/v1/templates/${id}`, change)).status).toBe(200);
    const refused = await account.post('/v1/generate', body);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'options.browser']);
  });

  test('of another account is printed again', async () => {
    const [one, two] = [await service().forNewAccount(), await service().forNewAccount()];
    await generate(INVOICE, one);
    expect((await generate(INVOICE, two)).cache).toBe('miss');
  });

  test('gets the warnings of the first one', async () => {
    const account = await service().forNewAccount();
    const body = {
      html: '<p>{{name}} {{missing}}</p><p style="width:3000px">wide</p>',
      data: { name: 'Ada' },
    };
    const [first, again] = [await generate(body, account), await generate(body, account)];
    expect(first.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'MISSING_VARIABLE',
      'OVERFLOW',
    ]);
    expect([again.cache, again.warnings]).toEqual(['hit', first.warnings]);
  });

  test('with claims has the proof of the first one', async () => {
    const account = await service().forNewAccount();
    const body = { html: '<html lang="en"><title>T</title><p>Hello</p></html>', options: { pdfa: '2b' } };
    const [first, again] = [await generate(body, account), await generate(body, account)];
    expect(again.cache).toBe('hit');
    const proofs = await Promise.all(
      [first, again].map(async ({ id }) => (await account.get(`/v1/generations/${id}/proof`)).body),
    );
    expect(proofs[0].claims.length).toBeGreaterThan(0);
    expect(proofs[1]).toEqual(proofs[0]);
  });

  test('of a test key does not get the PDF of a live key', async () => {
    const account = await service().forNewAccount();
    await generate(INVOICE, account);
    const key = await account.newKeyOfAccount({ test: true });
    const marked = await account.request('POST', '/v1/generate', { body: INVOICE, key });
    expect([marked.status, marked.headers.get('platen-cache')]).toEqual([200, 'miss']);
  });

  test('in a batch is not printed again', async () => {
    const account = await service().forNewAccount();
    await generate(INVOICE, account);
    const { body: batch } = await account.post('/v1/generate/batch', { items: [INVOICE, INVOICE] });
    const items = `/v1/generations?batch_id=${batch.batch_id}&status=completed`;
    await until(async () => (await account.get(items)).body.data.length === 2);
    const ended = (await account.get(items)).body.data;
    for (const { id } of ended) {
      const { body } = await account.get(`/v1/generations/${id}?receipt=true`);
      expect(Object.keys(body.receipt.phases)).not.toContain('print');
    }
  });
});

describe('a request that differs', () => {
  test.each([
    ['in data', { data: { number: 2, name: 'Ada' } }],
    ['in styles', { styles: 'p { color: red }' }],
    ['in an option', { options: { format: 'A5' } }],
    ['in the title', { options: { properties: { title: 'Other' } } }],
  ])('%s is printed', async (_name, change) => {
    const account = await service().forNewAccount();
    await generate(INVOICE, account);
    expect((await generate({ ...INVOICE, ...change }, account)).cache).toBe('miss');
  });

  test('in the version of its template or in a partial is printed', async () => {
    const account = await service().forNewAccount();
    const partial = (
      await account.post('/v1/templates', { name: 'line', html_content: '<p>one</p>', partial: true })
    ).body.id;
    const html = '<h1>{{name}}</h1>{{> line}}';
    const created = await account.post('/v1/templates', { name: 'Letter', html_content: html });
    const body = { template: created.body.id, data: { name: 'Ada' } };
    expect((await generate(body, account)).cache).toBe('miss');
    expect((await generate(body, account)).cache).toBe('hit');
    await account.request('PUT', `/v1/templates/${partial}`, { body: { html_content: '<p>two</p>' } });
    expect((await generate(body, account)).cache).toBe('miss');
    const html_content = `${html}<p>more</p>`;
    await account.request('PUT', `/v1/templates/${created.body.id}`, { body: { html_content } });
    expect((await generate(body, account)).cache).toBe('miss');
  });
});

describe('a document is always printed', () => {
  test.each([
    ['with a script', { html: '<p id="a">x</p><script>document.title = 1</script>' }],
    ['with a remote image', { html: '<p>x</p><img src="https://images.example.com/a.png">' }],
    ['that is a component', { react: 'export default () => <p>Hello</p>' }],
    ['with the date in its footer', { html: '<p>x</p>', options: { footer: '<span class="date"></span>' } }],
    ['with a watermark', { html: '<p>x</p>', options: { watermark: { text: 'Draft' } } }],
  ])('%s', async (_name, body) => {
    expect(await second(body)).toBe('miss');
  });
});

test('without the setting, responses say nothing about a cache', async () => {
  const account = await uncached().forNewAccount();
  expect((await generate(INVOICE, account)).cache).toBeNull();
  expect((await generate(INVOICE, account)).cache).toBeNull();
});
