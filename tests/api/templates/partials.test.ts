import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

async function store(name: string, html: string, key: string, partial = true) {
  const { status, body } = await service().post('/v1/templates', { name, html_content: html, partial }, key);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const put = (id: string, body: object, key: string) =>
  service().request('PUT', `/v1/templates/${id}`, { body, key });

/** Prints HTML as a template and returns its text, or the message of the error. */
async function text(body: object, key: string): Promise<string> {
  const { status, body: made } = await service().post('/v1/generate', { data: {}, ...body }, key);
  if (status !== 200) return made.error.details[0].message;
  return (await pdfText(await service().download(made.url))).trim();
}

describeWithPdfTools('a partial', () => {
  test('is available to templates, HTML with data, headers and previews of its account', async () => {
    const key = await service().newKey();
    await store('company', '<b>{{name}} GmbH</b>', key);
    const { id } = await store('Letter', '<p>From {{> company}}', key, false);
    const data = { name: 'Acme' };
    expect(await text({ template: id, data }, key)).toBe('From Acme GmbH');
    expect(await text({ html: '<p>{{> company name="Other"}}', data }, key)).toBe('Other GmbH');
    expect(
      await text({ html: '<p>x', data, options: { header: '{{> company}} {{pageNumber}}' } }, key),
    ).toContain('Acme GmbH 1');
    const preview = await service().post(
      '/v1/templates/preview',
      { html_content: '{{> company}}', data, output: 'base64' },
      key,
    );
    expect(await pdfText(Buffer.from(preview.body.data, 'base64'))).toContain('Acme GmbH');
    const accepted = await submit(service(), [{ template: id, data }], { key });
    const batch = await completed(service(), accepted, key);
    const item = await service().get(`/v1/generations/${batch.generations[0].id}`, key);
    expect(await pdfText(await service().download(item.body.url))).toContain('From Acme GmbH');
  });

  test('can be a layout with a block, and call other partials', async () => {
    const key = await service().newKey();
    await store('footer', '<p>Foot of {{title}}', key);
    await store('layout', '<h1>{{title}}</h1>{{> @partial-block}}{{> footer}}', key);
    const html = '{{#> layout title="Report"}}<p>Body{{/layout}}';
    expect((await text({ html }, key)).split(/\s*\n\s*/)).toEqual(['Report', 'Body', 'Foot of Report']);
  });

  test('takes effect at once when it is changed, restored, renamed or deleted', async () => {
    const key = await service().newKey();
    const { id } = await store('part', 'one', key);
    const html = '<p>{{> part}}';
    expect(await text({ html }, key)).toBe('one');
    await put(id, { html_content: 'two' }, key);
    expect(await text({ html }, key)).toBe('two');
    await service().request('POST', `/v1/templates/${id}/versions/1/restore`, { key });
    expect(await text({ html }, key)).toBe('one');
    await put(id, { name: 'other' }, key);
    expect(await text({ html }, key)).toBe('line 1, column 4: the partial "part" does not exist');
    expect(await text({ html: '{{> other}}' }, key)).toBe('one');
    await put(id, { partial: false }, key);
    expect(await text({ html: '{{> other}}' }, key)).toContain('the partial "other" does not exist');
    await put(id, { partial: true }, key);
    await service().request('DELETE', `/v1/templates/${id}`, { key });
    expect(await text({ html: '{{> other}}' }, key)).toContain('the partial "other" does not exist');
  });

  test('belongs to its account', async () => {
    const [ann, bob] = [await service().newKey(), await service().newKey()];
    await store('part', 'of Ann', ann);
    expect(await text({ html: '{{> part}}' }, bob)).toContain('the partial "part" does not exist');
    await store('part', 'of Bob', bob);
    expect(await text({ html: '{{> part}}' }, bob)).toBe('of Bob');
    expect(await text({ html: '{{> part}}' }, ann)).toBe('of Ann');
  });

  test('becomes a part of the copy when a public template that calls it is cloned', async () => {
    const [ann, bob] = [await service().newKey(), await service().newKey()];
    await store('deep', 'of {{who}}', ann);
    await store('company', 'The company {{> deep}}', ann);
    const { id } = await store('Letter', '<p>{{> company}}', ann, false);
    await service().post(`/v1/marketplace/${id}/publish`, {}, ann);
    const clone = await service().post(`/v1/marketplace/${id}/clone`, {}, bob);
    expect(clone.status).toBe(201);
    expect(await text({ template: clone.body.id, data: { who: 'Bob' } }, bob)).toBe('The company of Bob');
  });

  test('is named with line and column in its errors', async () => {
    const key = await service().newKey();
    await store('broken', '<p>\n{{round "x"}}', key);
    expect(await text({ html: 'x{{> broken}}' }, key)).toContain(
      'partial "broken": line 2, column 1: the helper "round"',
    );
  });
});

describe('partials are rejected', () => {
  test.each(['two words', '1st', 'a.b', 'true', 'a/b', '@partial-block'])(
    'with the name %s',
    async (name) => {
      const { status, body } = await service().post('/v1/templates', {
        name,
        html_content: 'x',
        partial: true,
      });
      expect([status, body.error.details[0].path]).toEqual([400, 'name']);
    },
  );

  test('with the name of another partial', async () => {
    const key = await service().newKey();
    await store('same', 'x', key);
    const again = await service().post(
      '/v1/templates',
      { name: 'same', html_content: 'y', partial: true },
      key,
    );
    expect([again.status, again.body.error.details[0].path]).toEqual([400, 'name']);
    const { id } = await store('same', 'a template that is not a partial', key, false);
    const made = await put(id, { partial: true }, key);
    expect([made.status, made.body.error.details[0].path]).toEqual([400, 'name']);
  });

  test('that include themselves or each other, with the cycle', async () => {
    const key = await service().newKey();
    const self = await service().post(
      '/v1/templates',
      { name: 'self', html_content: '{{> self}}', partial: true },
      key,
    );
    expect(self.body.error.details[0]).toMatchObject({
      path: 'html_content',
      message: 'partials include each other: self > self',
    });
    await store('a', '{{#if x}}{{> b}}{{/if}}', key);
    await store('b', '{{> c}}', key);
    const c = await service().post(
      '/v1/templates',
      { name: 'c', html_content: '{{> a}}', partial: true },
      key,
    );
    expect(c.body.error.details[0].message).toBe('partials include each other: c > a > b > c');
    const { id } = await store('c', 'fine', key);
    for (const change of [{ html_content: '{{> a}}' }, { html_content: '{{#> c}}{{/c}}' }])
      expect((await put(id, change, key)).status).toBe(400);
    // A rename can complete a cycle as well.
    await store('d', '{{> e}}', key);
    const f = await store('f', '{{> d}}', key);
    expect((await put(f.id, { name: 'e' }, key)).body.error.details[0].message).toContain('e > d > e');
  });

  test('that are too many or nested too deeply', async () => {
    const key = await service().newKey();
    for (let level = 1; level <= 20; level += 1)
      await store(`n${level}`, level === 1 ? 'x' : `{{> n${level - 1}}}`, key);
    const { body } = await service().post(
      '/v1/templates',
      { name: 'n21', html_content: '{{> n20}}', partial: true },
      key,
    );
    expect(body.error.details[0].message).toContain('more than 20 levels');
    const calls = Array.from({ length: 101 }, (_, index) => `{{> m${index}}}`).join('');
    await Promise.all(Array.from({ length: 101 }, (_, index) => store(`m${index}`, 'x', key)));
    const many = await service().post('/v1/generate', { html: calls, data: {} }, key);
    expect([many.status, many.body.error.details[0].message]).toEqual([
      400,
      expect.stringContaining('more than 100 partials'),
    ]);
  });
});

describe('the field partial', () => {
  test('is false unless it is set, and is returned', async () => {
    const key = await service().newKey();
    const { id, ...created } = await store('plain', 'x', key, false);
    expect('partial' in created).toBe(false);
    expect((await service().get(`/v1/templates/${id}`, key)).body.partial).toBe(false);
    const made = await store('part', 'x', key);
    expect(made.partial).toBe(true);
    const { body } = await service().get('/v1/templates', key);
    expect(body.data.map(({ name, partial }: { name: string; partial: boolean }) => [name, partial])).toEqual(
      [
        ['part', true],
        ['plain', false],
      ],
    );
    expect((await put(made.id, { partial: false }, key)).body.partial).toBe(false);
  });
});
