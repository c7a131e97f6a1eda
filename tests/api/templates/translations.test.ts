import { describe, expect, test } from 'bun:test';
import { completed } from '../../support/batch/batches.ts';
import { pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

const service = sharedService();

const translations = {
  en: { total: 'Total', items: '{count, plural, one {# item} other {# items}}' },
  de: { total: 'Summe', items: '{count, plural, one {# Posten} other {# Posten}}' },
};
const html_content =
  '<p lang="{{@language}}">{{t "total"}} {{t "items" count=n}} {{formatNumber 1234.5}}</p>';
const INVOICE = { name: 'Invoice', html_content, translations, default_locale: 'en' };

const create = (fields: object = {}) => service().post('/v1/templates', { ...INVOICE, ...fields });
const put = (id: string, body: object) => service().request('PUT', `/v1/templates/${id}`, { body });
const textOf = async (body: object) => {
  const answer = await service().post('/v1/generate', { output: 'base64', data: { n: 2 }, ...body });
  return answer.status === 200
    ? (await pdfText(Buffer.from(answer.body.data, 'base64'))).trim()
    : answer.body.error.details;
};
const faultOf = async (fields: object) => {
  const { status, body } = await create(fields);
  expect(status).toBe(400);
  const [{ path, message }] = body.error.details;
  return `${path}: ${message}`;
};

describe('translations that are sent with HTML or Markdown', () => {
  test('make it a template, also without data, and also when the request waits', async () => {
    expect(await textOf({ html: html_content, translations, locale: 'de' })).toMatch(/^Summe 2 Posten/);
    const markdown = '**{{t "total"}}**';
    expect(await textOf({ markdown, data: undefined, translations, default_locale: 'de' })).toBe('Summe');
    const request = { html: '{{t "total"}}', translations, default_locale: 'de', async: true };
    const { status, body } = await service().post('/v1/generate', request);
    expect(status).toBe(202);
    const read = async () => (await service().get(`/v1/generations/${body.id}`)).body;
    await until(async () => (await read()).status === 'completed');
    expect((await pdfText(await service().download((await read()).url))).trim()).toBe('Summe');
  });

  test('name their faults', async () => {
    const { id: template } = (await create()).body;
    expect(await textOf({ template, translations })).toMatchObject([
      { path: 'translations', message: 'is only for html and markdown: a stored template has its own' },
    ]);
    expect(await textOf({ html: 'x', default_locale: 'de' })).toMatchObject([{ path: 'default_locale' }]);
    expect(await textOf({ html: 'x', translations: { de: { a: '{' } } })).toMatchObject([
      { path: 'translations.de.a' },
    ]);
    expect(await textOf({ url: 'https://example.com', data: undefined, translations })).toMatchObject([
      { path: 'translations' },
    ]);
  });
});

describe('translations of a template', () => {
  test('choose the words by the locale of a request, an item of a batch and a preview', async () => {
    const template: string = (await create()).body.id;
    expect(await textOf({ template, locale: 'de-AT' })).toMatch(/^Summe 2 Posten 1\s234,5$/);
    expect(await textOf({ template })).toBe('Total 2 items 1,234.5');
    expect(await textOf({ template, locale: 'no locale' })).toMatchObject([{ path: 'locale' }]);
    expect(await textOf({ react: 'export default () => <p/>', locale: 'de' })).toMatchObject([
      { path: 'locale' },
    ]);
    const own = { html: html_content, translations: { fr: { total: 'Somme', items: '{count}' } } };
    const items = [
      ...['de', 'en'].map((locale) => ({ template, locale, data: { n: 1 } })),
      { ...own, data: { n: 1 } },
    ];
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const accepted = await service().request('POST', '/v1/generate/batch', { headers, body: { items } });
    const { generations } = await completed(service(), accepted);
    const texts = generations.map(async ({ id }: { id: string }) => {
      const { url } = (await service().get(`/v1/generations/${id}`)).body;
      return (await pdfText(await (await fetch(url)).bytes())).trim();
    });
    expect(await Promise.all(texts)).toEqual([
      'Summe 1 Posten 1.234,5',
      'Total 1 item 1,234.5',
      expect.stringMatching(/^Somme 1 1\s234,5$/),
    ]);
    const preview = await service().post('/v1/templates/preview', {
      html_content,
      translations,
      default_locale: 'de',
      data: { n: 1 },
      output: 'base64',
    });
    expect(await pdfText(Buffer.from(preview.body.data, 'base64'))).toContain('Summe 1 Posten 1.234,5');
    const image = await service().post('/v1/images', { template, locale: 'de', data: { n: 1 } });
    expect([image.status, image.body.warnings]).toEqual([200, []]);
  });

  test('belong to the version, and to copies', async () => {
    const { id } = (await create()).body;
    const read = async (query = '') => (await service().get(`/v1/templates/${id}${query}`)).body;
    expect(await read()).toMatchObject({ translations, default_locale: 'en' });
    const changed = { fr: { total: 'Somme', items: '{count}' } };
    const next = { html_content: '<p>{{t "total"}}</p>', translations: changed };
    const draft = (await put(id, { ...next, draft: true })).body;
    expect(draft).toMatchObject({ translations: changed, default_locale: 'fr', version: 2 });
    expect((await read()).translations).toEqual(translations);
    expect(await textOf({ template: id, template_version: 'draft' })).toBe('Somme');
    await service().request('POST', `/v1/templates/${id}/versions/2/promote`);
    expect((await read()).translations).toEqual(changed);
    expect((await read('?version=1')).translations).toEqual(translations);
    const restored = await service().request('POST', `/v1/templates/${id}/versions/1/restore`);
    expect(restored.body.translations).toEqual(translations);
    await service().request('POST', `/v1/marketplace/${id}/publish`);
    const clone = (await service().request('POST', `/v1/marketplace/${id}/clone`)).body;
    expect((await service().get(`/v1/templates/${clone.id}`)).body).toMatchObject({
      translations,
      default_locale: 'en',
    });
  });

  test('change the etag, and cannot be removed while the HTML uses them', async () => {
    const { id } = (await create()).body;
    const { etag } = (await service().get(`/v1/templates/${id}`)).body;
    const refused = await put(id, { translations: {} });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'html_content']);
    const changed = (await put(id, { translations: { de: { total: 'Gesamt' } }, expected_etag: etag })).body;
    expect([changed.version, changed.default_locale, changed.etag === etag]).toEqual([1, 'de', false]);
    const removed = (await put(id, { html_content: '<p>{{t}}</p>', translations: {} })).body;
    expect(removed).not.toHaveProperty('translations');
    expect(await textOf({ template: id, data: { t: 'field' } })).toBe('field');
  });

  test('report a language without messages, also under strict', async () => {
    const template: string = (await create()).body.id;
    const request = { template, locale: 'it', data: { n: 1 }, options: { strict: true } };
    const { status, body } = await service().post('/v1/generate', request);
    expect([status, body.warnings]).toEqual([
      200,
      [
        {
          code: 'LANGUAGE_REPLACED',
          message: 'the template has no messages in "it"; the messages in "en" were printed instead',
          path: 'translations.it',
        },
      ],
    ]);
    const { receipt } = (await service().get(`/v1/generations/${body.id}?receipt=true`)).body;
    expect(receipt.missing_variables.entries).toEqual([]);
  });

  test('report missing messages, which are errors under strict', async () => {
    const template: string = (await create({ html_content: '{{t "none"}} {{t "items"}}' })).body.id;
    const answer = await service().post('/v1/generate', { template, locale: 'de' });
    expect(answer.body.warnings).toMatchObject([
      {
        code: 'MISSING_VARIABLE',
        path: 'translations.de.none',
        message: 'the template has no message none in de or en',
      },
      { path: 'translations.de.items.count', message: 'the message items has no value for count' },
    ]);
    expect(await textOf({ template, locale: 'de', data: {}, options: { strict: true } })).toMatchObject([
      { code: 'MISSING_VARIABLE', path: 'translations.de.none' },
      { code: 'MISSING_VARIABLE', path: 'translations.de.items.count' },
    ]);
  });

  test('report each message in another language than the document, which is an error under strict', async () => {
    const thanks = { ...translations, en: { ...translations.en, thanks: 'Thank you!' } };
    const fields = { html_content: '{{t "total"}} {{t "thanks"}}', translations: thanks };
    const template: string = (await create(fields)).body.id;
    const fault = {
      code: 'MISSING_VARIABLE',
      path: 'translations.de.thanks',
      message: 'the template has no message thanks in de; the message in en was printed instead',
    };
    const request = { template, locale: 'de', data: {} };
    const made = (await service().post('/v1/generate', request)).body;
    expect(made.warnings).toEqual([fault]);
    const preview = { ...fields, locale: 'de', output: 'base64' };
    expect((await service().post('/v1/templates/preview', preview)).body.warnings).toEqual([fault]);
    const strict = await textOf({ ...request, options: { strict: true } });
    expect(strict).toMatchObject([{ ...fault, message: expect.stringContaining('no message thanks in de') }]);
    expect(await textOf({ template, locale: 'en', options: { strict: true } })).toBe('Total Thank you!');
  });

  test('are refused with the path of the fault', async () => {
    const message = (text: unknown) => faultOf({ translations: { de: { items: text } } });
    expect(await faultOf({ translations: [] })).toContain('translations:');
    expect(await message('{count, plural, one {#}}')).toContain(
      'translations.de.items: is not an ICU message',
    );
    expect(await message('<b>x</b>')).toContain('translations.de.items: must not contain tags');
    expect(await message('{'.repeat(1_000))).toContain('nested more than 10 levels deep');
    expect(await message('x'.repeat(1_000_000))).toContain('translations: must have at most 131072 bytes');
    expect(await faultOf({ translations: { 'de-at': {}, de_AT: {} } })).toContain('the same language');
    expect(await faultOf({ translations: { german: { total: 'Summe' } } })).toBe(
      'translations.german: must be named by a language tag such as de or de-AT',
    );
    expect(await faultOf({ default_locale: 'fr' })).toBe(
      'default_locale: must be a language of translations: en, de',
    );
    expect(await faultOf({ translations: undefined })).toBe('default_locale: needs translations: send both');
  });
});
