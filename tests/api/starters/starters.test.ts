import { afterEach, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkData } from '@platen/templates/check-data';
import { ConfigError } from '../../../src/config.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

let readers = 0;
/**
 * Reads without a key, each time from another address behind the proxy, because public reads are limited by
 * address.
 */
function read(path: string) {
  readers += 1;
  return readFrom(`198.18.${readers >> 8}.${readers & 255}`, path);
}
const readFrom = (address: string, path: string) =>
  service().request('GET', path, { key: null, headers: { 'x-forwarded-for': address } });

const root = join(import.meta.dir, '..', '..', '..', 'starters');
const slugsIn = async (path: string) =>
  (await readdir(path))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .toSorted();
const slugs = await slugsIn(root);
/** The starters that are docx, xlsx and pptx files. */
const officeSlugs = await slugsIn(join(root, 'office'));
const allSlugs = [...slugs, ...officeSlugs].toSorted();

const folders: string[] = [];
/** Creates a folder with files. `null` as a content creates a subfolder. */
async function folder(files: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'platen-starters-'));
  folders.push(path);
  for (const [name, content] of Object.entries(files)) {
    const folderPath = join(path, content === null ? name : dirname(name));
    await mkdir(folderPath, { recursive: true });
    if (content !== null)
      await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return path;
}
afterEach(async () => {
  for (const path of folders.splice(0)) await rm(path, { recursive: true, force: true });
});

describe('starters', () => {
  test('are listed without a key and without HTML', async () => {
    const { status, body } = await read('/v1/starter-templates');
    expect(status).toBe(200);
    expect({ ...body, data: [] }).toEqual({ data: [], has_more: false });
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(allSlugs);
    for (const item of body.data)
      expect(Object.keys(item).toSorted()).toEqual([
        'category',
        'description',
        ...(officeSlugs.includes(item.slug) ? ['format'] : []),
        'name',
        'sample_data',
        'slug',
      ]);
  });

  test.each(slugs)('%s can be read without a key, and its sample data matches its schema', async (slug) => {
    const { status, body } = await read(`/v1/starter-templates/${slug}`);
    expect(status).toBe(200);
    expect(body.html_content).toContain('{{');
    // A sample may omit optional fields such as a language.
    expect(checkData(body.schema, body.sample_data).filter(({ found }) => found !== 'missing')).toEqual([]);
    expect(Object.keys(body.sample_data).filter((name) => !(name in body.schema))).toEqual([]);
  });

  test.each(officeSlugs)('%s is a file, whose fields are accepted by POST /v1/templates', async (slug) => {
    const starter = (await read(`/v1/starter-templates/${slug}`)).body;
    const { slug: _, description: __, cases: ___, ...fields } = starter;
    expect(fields.html_content).toBeNull();
    expect(checkData(starter.schema, starter.sample_data)).toEqual([]);
    const created = await service().post('/v1/templates', fields);
    expect([created.status, created.body.format]).toEqual([201, starter.format]);
    const clone = await service().request('POST', `/v1/starter-templates/${slug}/clone`);
    const made = await service().post('/v1/generate', {
      template: clone.body.id,
      data: starter.sample_data,
      type: starter.format,
    });
    expect([made.status, made.body.warnings]).toEqual([200, []]);
  });

  test.each(casesOfSuite(slugs, 26))(
    '%s can be cloned and printed with its sample data and options',
    async (slug) => {
      const starter = (await read(`/v1/starter-templates/${slug}`)).body;
      const { status, body } = await service().request('POST', `/v1/starter-templates/${slug}/clone`);
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^tmpl_/),
        name: starter.name,
        version: 1,
        created_at: expect.any(String),
        cases: ['typical', 'hard'],
      });
      const { html_content, schema, category, options, sample_data } = starter;
      expect((await service().get(`/v1/templates/${body.id}`)).body).toMatchObject({
        html_content,
        schema,
        category,
        options,
        sample_data,
        is_public: false,
      });
      const made = await service().post('/v1/generate', {
        template: body.id,
        data: starter.sample_data,
        options: starter.options,
      });
      expect([made.status, made.body.status]).toEqual([200, 'completed']);
    },
  );

  test.each(casesOfSuite(slugs, 50))(
    'the fields of %s are accepted unchanged by other routes',
    async (slug) => {
      const starter = (await read(`/v1/starter-templates/${slug}`)).body;
      const { slug: _, description: __, cases: ___, ...fields } = starter;
      const created = await service().post('/v1/templates', fields);
      expect(created.status).toBe(201);
      const { id } = created.body;
      const { body: template } = await service().get(`/v1/templates/${id}`);
      expect(template).toMatchObject(fields);
      await service().request('POST', `/v1/marketplace/${id}/publish`);
      const { body: shared } = await service().get(`/v1/marketplace/${id}`);
      for (const { html_content: html, sample_data: data, options } of [starter, template, shared]) {
        const { status, body } = await service().post('/v1/generate', { html, data, options });
        expect([status, body.status]).toEqual([200, 'completed']);
      }
    },
  );

  test('the fields of a template without options and sample data are accepted unchanged too', async () => {
    const { body } = await service().post('/v1/templates', { name: 'Bare', html_content: '<p>x' });
    const { options, sample_data } = (await service().get(`/v1/templates/${body.id}`)).body;
    const made = await service().post('/v1/generate', { template: body.id, data: sample_data, options });
    expect(made.status).toBe(200);
    const again = await service().post('/v1/templates', {
      name: 'Again',
      html_content: 'x',
      options,
      sample_data,
    });
    expect(again.status).toBe(201);
  });

  test('get 404 if they do not exist, and cloning requires a key', async () => {
    for (const slug of ['nothing', '..%2fpackage', '%00', 'x'.repeat(10_000), '__proto__']) {
      expect((await read(`/v1/starter-templates/${slug}`)).status).toBe(404);
      expect((await service().request('POST', `/v1/starter-templates/${slug}/clone`)).status).toBe(404);
    }
    const { error } = (await read('/v1/starter-templates/leter')).body;
    expect(error.message).toBe('starter template leter not found');
    const answer = await service().request('POST', '/v1/starter-templates/letter/clone', {
      key: null,
      headers: { 'x-forwarded-for': '198.51.100.8' },
    });
    expect(answer.status).toBe(401);
  });

  test('have a rate limit per address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => readFrom('198.51.100.7', '/v1/starter-templates')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect((await readFrom('198.51.100.9', '/v1/starter-templates')).status).toBe(200);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

const good = {
  name: 'Own',
  description: 'Of the team.',
  category: 'other',
  html_content: '<p>{{x}}</p>',
  sample_data: { x: '1' },
  schema: { x: 'string' },
};

describe('STARTERS_DIR', () => {
  test('adds starters, also from files with a byte order mark, and replaces starters with the same slug', async () => {
    const { html_content: html, ...rest } = good;
    const path = await folder({
      'own.json': `\uFEFF${JSON.stringify(rest)}`,
      'own.html': `\uFEFF${html}`,
      'letter.json': { ...good, name: 'Our letter' },
      'notes.txt': 'left alone',
      'cases/own/long.json': { x: 'long' },
    });
    await using own = await TestService.start({ env: { STARTERS_DIR: path } });
    const { body } = await own.get('/v1/starter-templates', null);
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(
      [...new Set([...allSlugs, 'own'])].toSorted(),
    );
    expect((await own.get('/v1/starter-templates/own', null)).body).toEqual({
      ...good,
      slug: 'own',
      options: null,
      cases: [
        { name: 'typical', data: good.sample_data },
        { name: 'long', data: { x: 'long' } },
      ],
    });
    expect((await own.get('/v1/starter-templates/letter', null)).body.name).toBe('Our letter');
  });

  const withOptions = (options: object) => ({ 'own.json': { ...good, options } });
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['invalid JSON', { 'own.json': '{' }, /own\.json: is not JSON/],
    ['a list', { 'own.json': [] }, /own\.json: must be an object/],
    ['a missing field', { 'own.json': { ...good, name: undefined } }, /own\.json\.name: is required/],
    ['an unknown field', { 'own.json': { ...good, html: 'x' } }, /own\.json\.html: unknown field/],
    ['an unknown category', { 'own.json': { ...good, category: 'x' } }, /own\.json\.category: must be/],
    [
      'an unknown type',
      { 'own.json': { ...good, schema: { x: 'text' } } },
      /own\.json\.schema\.x: must be one/,
    ],
    ['no HTML', { 'own.json': { ...good, html_content: undefined } }, /own\.json\.html_content: is required/],
    ['HTML twice', { 'own.json': good, 'own.html': 'x' }, /own\.json\.html_content: own\.html exists too/],
    [
      'HTML that does not parse',
      { 'own.json': { ...good, html_content: '\n{{#if}' } },
      /own\.json\.html_content: line 2/,
    ],
    [
      'an unknown paper format',
      withOptions({ format: 'A9' }),
      /own\.json\.options\.format: must be one of A0, A1, A2, A3, A4/,
    ],
    [
      'an invalid margin',
      withOptions({ margin: { left: 'banana' } }),
      /own\.json\.options\.margin\.left: must be a length/,
    ],
    [
      'margins that leave no room',
      withOptions({ margin: '200mm' }),
      /own\.json\.options\.margin: leaves no room/,
    ],
    [
      'a script in the header',
      withOptions({ header: '<script>1</script>' }),
      /own\.json\.options\.header: must be/,
    ],
    [
      'a footer that becomes a script',
      withOptions({ footer: '<{{#if x}}script{{/if}}>1</script>' }),
      /own\.json\.options\.footer: must be HTML without scripts/,
    ],
    [
      'a header that does not parse',
      withOptions({ header: '{{#if}}' }),
      /own\.json\.options\.header: line 1/,
    ],
    [
      '501 variables',
      {
        'own.json': {
          ...good,
          schema: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`v${index}`, 'any'])),
        },
      },
      /own\.json\.schema: must have at most 500 variables/,
    ],
    [
      'a variable without a name',
      { 'own.json': { ...good, schema: { '': 'any' } } },
      /own\.json\.schema: the name of a variable/,
    ],
    [
      'a variable __proto__',
      { 'own.json': JSON.stringify(good).replace('"schema":{"x"', '"schema":{"__proto__"') },
      /own\.json: a field must not be named __proto__/,
    ],
    [
      'sample data of another type',
      { 'own.json': { ...good, sample_data: { x: 1 } } },
      /own\.json\.sample_data\.x: must be of type string, as in the schema, not number/,
    ],
    [
      'a case of another type',
      { 'own.json': good, 'cases/own/hard.json': { x: 1 } },
      /own\.json\.cases\.hard\.x: must be of type string, as in the schema, not number/,
    ],
    [
      'a case that is not an object',
      { 'own.json': good, 'cases/own/hard.json': [] },
      /hard\.json: must be an object/,
    ],
    [
      'a second sample as a case',
      { 'own.json': good, 'cases/own/typical.json': {} },
      /typical\.json: the case typical is sample_data/,
    ],
    [
      'a long name of a case',
      { 'own.json': good, [`cases/own/${'x'.repeat(65)}.json`]: {} },
      /x\.json: the name of a case has at most 64 characters/,
    ],
    [
      'a message that is not text',
      { 'own.json': { ...good, translations: { de: { total: 1 } } } },
      /own\.json\.translations\.de\.total: must be a message/,
    ],
    [
      'a message that does not parse',
      { 'own.json': { ...good, translations: { de: { total: '{name' } } } },
      /own\.json\.translations\.de\.total: is not an ICU message/,
    ],
    [
      'translations of no language',
      { 'own.json': { ...good, translations: { 'no tag': {} } } },
      /own\.json\.translations\.no tag: must be named by a language tag/,
    ],
    [
      'a default language without messages',
      { 'own.json': { ...good, translations: { de: {} }, default_locale: 'fr' } },
      /own\.json\.default_locale: must be a language of translations: de/,
    ],
    [
      'a default language without translations',
      { 'own.json': { ...good, default_locale: 'fr' } },
      /own\.json\.default_locale: needs translations/,
    ],
    [
      'a message without translations',
      { 'own.json': { ...good, html_content: '{{t "total"}}' } },
      /own\.json\.html_content: line 1/,
    ],
    [
      'translations of an office file',
      { 'own.json': { ...good, html_content: undefined, translations: { de: {} } }, 'own.docx': 'x' },
      /own\.json\.translations: is not for this starter, which is a docx file/,
    ],
    ['a folder instead of a file', { 'own.json': null }, /own\.json: cannot be read \(EISDIR\)/],
    [
      'a folder instead of HTML',
      { 'own.json': good, 'own.html': null },
      /own\.html: cannot be read \(EISDIR\)/,
    ],
    ['a file name that is not a slug', { 'My Own.json': good }, /My Own\.json: the file name must/],
  ];

  test.each(casesOfSuite(wrong, 22))(
    'with %s stops the service, and the error names file and field',
    async (_name, files, says) => {
      const path = await folder(files);
      const error = await TestService.start({ env: { STARTERS_DIR: path } }).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(says);
    },
  );

  test.if(isThorough)('accepts the built-in starters', async () => {
    const path = join(import.meta.dir, '../../../starters');
    await using own = await TestService.start({ env: { STARTERS_DIR: path } });
    expect((await own.get('/v1/starter-templates', null)).body.data.length).toBeGreaterThanOrEqual(24);
  });

  test.if(isThorough)('that does not exist stops the service', async () => {
    const error = await TestService.start({ env: { STARTERS_DIR: '/nowhere' } }).catch(
      (cause: unknown) => cause,
    );
    expect(String(error)).toMatch(/STARTERS_DIR: \/nowhere cannot be read \(ENOENT\)/);
  });
});
