import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const names = [
  'Straße invoice (net)',
  'ΟΔΟΣ letter',
  '100% cotton_label',
  'C:\\temp [draft] .*',
  "O'Brien $name",
  'Überweisung',
];
let key = '';
const idOf = new Map<string, string>();

beforeAll(async () => {
  key = await service().newKey();
  for (const name of names) {
    const category = name.includes('cotton') ? 'receipt' : 'other';
    const { body } = await service().post('/v1/templates', { name, category, html_content: 'x' }, key);
    idOf.set(name, body.id);
  }
});

async function find(path: string, query: Record<string, string>, as: string | null = key): Promise<string[]> {
  const { status, body } = await service().get(`${path}?${new URLSearchParams(query)}`, as);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name).toSorted();
}

const found: [search: string, names: string[]][] = [
  ['invoice', ['Straße invoice (net)']],
  ['INVOICE (NET', ['Straße invoice (net)']],
  ['strasse', ['Straße invoice (net)']],
  ['οδος', ['ΟΔΟΣ letter']],
  ['überweis', ['Überweisung']],
  // The same letter, written as u and a combining diaeresis.
  ['U\u0308BER', ['Überweisung']],
  ['100%', ['100% cotton_label']],
  ['%', ['100% cotton_label']],
  ['n_l', ['100% cotton_label']],
  ['.*', ['C:\\temp [draft] .*']],
  ['[draft]', ['C:\\temp [draft] .*']],
  ['\\t', ['C:\\temp [draft] .*']],
  ["o'b", ["O'Brien $name"]],
  ['$name', ["O'Brien $name"]],
  ['receipt', ['100% cotton_label']],
  ['e', names.toSorted()],
  ['nothing', []],
  ['(a+)+$', []],
  ['letter other', []],
  ['\0', []],
];

describe('search in templates', () => {
  test.each(found)('%j finds %j', async (search, expected) => {
    expect(await find('/v1/templates', { search })).toEqual(expected);
  });

  test('is paged, newest first', async () => {
    const page = async (query: string) => (await service().get(`/v1/templates?search=E&${query}`, key)).body;
    const [first, rest] = [await page('limit=4'), await page('limit=4&offset=4')];
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    const listed = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(names.map((name) => idOf.get(name) ?? '').toReversed());
  });

  test('follows changes of name, category and HTML, and finds no template of another account', async () => {
    const own = await service().newKey();
    const { body } = await service().post('/v1/templates', { name: 'before', html_content: 'x' }, own);
    const put = (change: object) =>
      service().request('PUT', `/v1/templates/${body.id}`, { body: change, key: own });
    const search = (text: string) => find('/v1/templates', { search: text }, own);
    await put({ name: 'after' });
    expect([await search('before'), await search('after')]).toEqual([[], ['after']]);
    await put({ category: 'letter', html_content: 'y' });
    expect([await search('other'), await search('LETTER')]).toEqual([[], ['after']]);
    await Promise.all([put({ name: 'last' }), put({ category: 'resume' }), put({ html_content: 'z' })]);
    expect([await search('last'), await search('resume')]).toEqual([['last'], ['last']]);
    expect(await search('Straße')).toEqual([]);
  });

  test.each(['/v1/templates', '/v1/marketplace', '/v1/starter-templates'])(
    'is rejected by %s when it is empty or longer than 100 characters',
    async (path) => {
      for (const search of ['', 'x'.repeat(101)]) {
        const { status, body } = await service().get(`${path}?search=${search}`);
        expect([status, body.error.message]).toEqual([
          400,
          'search: must be a string of 1 to 100 characters',
        ]);
      }
      expect((await service().get(`${path}?search=${'x'.repeat(100)}`)).status).toBe(200);
    },
  );
});

test('search in the marketplace finds public templates, also within a category', async () => {
  const word = crypto.randomUUID();
  for (const category of ['invoice', 'letter', 'other']) {
    const draft = { name: `${category} ${word}`, category, html_content: 'x' };
    const { body } = await service().post('/v1/templates', draft, key);
    if (category !== 'other') await service().request('POST', `/v1/marketplace/${body.id}/publish`, { key });
  }
  const other = await service().newKey();
  const search = (query: Record<string, string>) => find('/v1/marketplace', query, other);
  expect(await search({ search: word.toUpperCase() })).toEqual([`invoice ${word}`, `letter ${word}`]);
  expect(await search({ search: word, category: 'letter' })).toEqual([`letter ${word}`]);
  expect(await search({ search: `other ${word}` })).toEqual([]);
});

test('search in the starters finds names, descriptions and categories, without a key', async () => {
  const { body } = await service().get('/v1/starter-templates', null);
  for (const field of ['name', 'description', 'category']) {
    const text = body.data[0][field];
    const expected = body.data.filter((starter: Record<string, string>) =>
      [starter['name'], starter['description'], starter['category']]
        .join('\n')
        .toUpperCase()
        .includes(text.toUpperCase()),
    );
    const slice = text.slice(0, 100);
    expect(expected.length).toBeGreaterThan(0);
    expect(await find('/v1/starter-templates', { search: slice.toLowerCase() }, null)).toEqual(
      expected.map(({ name }: { name: string }) => name).toSorted(),
    );
  }
  expect(await find('/v1/starter-templates', { search: 'no such starter' }, null)).toEqual([]);
});
