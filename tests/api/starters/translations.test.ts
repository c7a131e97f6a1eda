import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdfText } from '../../support/pdf/pdf.ts';
import { TestService } from '../../support/service/service.ts';

const translations = {
  en: { greeting: 'Dear {name},' },
  de: { greeting: 'Guten Tag {name},' },
};
const starter = {
  name: 'Note',
  description: 'A note of the team.',
  category: 'letter',
  html_content: '<p>{{t "greeting" name=name}} {{formatNumber 1234.5}}</p>',
  sample_data: { name: 'Ada' },
  schema: { name: 'string!' },
  translations,
  default_locale: 'en',
};

let folder = '';
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-starters-'));
  await writeFile(join(folder, 'note.json'), JSON.stringify(starter));
  service = await TestService.start({ env: { STARTERS_DIR: folder } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const textOf = async (path: string, body: object) => {
  const answer = await service.post(path, { output: 'base64', ...body });
  expect([answer.status, answer.body.warnings]).toEqual([200, []]);
  return (await pdfText(Buffer.from(answer.body.data, 'base64'))).trim();
};

describe('a starter with translations', () => {
  test('gives them to its clones, and previews in each language', async () => {
    const { body } = await service.get('/v1/starter-templates/note', null);
    expect(body).toMatchObject({ translations, default_locale: 'en' });
    const clone = (await service.request('POST', '/v1/starter-templates/note/clone')).body;
    expect((await service.get(`/v1/templates/${clone.id}`)).body).toMatchObject({
      html_content: starter.html_content,
      translations,
      default_locale: 'en',
    });
    const data = starter.sample_data;
    expect(await textOf('/v1/generate', { template: clone.id, data })).toBe('Dear Ada, 1,234.5');
    expect(await textOf('/v1/generate', { template: clone.id, data, locale: 'de-DE' })).toBe(
      'Guten Tag Ada, 1.234,5',
    );
    const { html_content } = body;
    const preview = { html_content, translations: body.translations, default_locale: 'en', data };
    expect(await textOf('/v1/templates/preview', { ...preview, locale: 'de' })).toBe(
      'Guten Tag Ada, 1.234,5',
    );
  });

  test('has none in lists, and starters without them have no such fields', async () => {
    const { data } = (await service.get('/v1/starter-templates', null)).body;
    const listed = data.find(({ slug }: { slug: string }) => slug === 'note');
    expect([listed.name, 'translations' in listed]).toEqual(['Note', false]);
    const { body } = await service.get('/v1/starter-templates/letter', null);
    expect([body.slug, 'translations' in body, 'default_locale' in body]).toEqual(['letter', false, false]);
    const clone = (await service.request('POST', '/v1/starter-templates/letter/clone')).body;
    expect((await service.get(`/v1/templates/${clone.id}`)).body).not.toHaveProperty('translations');
  });
});
