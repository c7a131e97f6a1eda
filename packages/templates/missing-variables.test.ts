import { expect, test } from 'bun:test';
import { compileTemplate } from './index.ts';

/** Returns the missing variables of a rendering, with their number when it is not 1. */
function missing(source: string, data: object, partials: Record<string, string> = {}): string[] {
  const result = compileTemplate({ source, data, partials });
  if (!result.ok) throw new Error(result.message);
  return (result.value.missing ?? []).map(({ path, count }) => (count === 1 ? path : `${path} x${count}`));
}

test.each([
  ['{{name}} {{customer.name}} {{{raw}}}', ['name', 'customer.name', 'raw']],
  ['{{#each items}}{{price}}{{/each}}', ['items']],
  ['{{#with customer}}{{name}}{{/with}}', ['customer']],
  ['{{formatDate date}} {{formatCurrency (add net tax) "EUR"}}', ['date', 'net', 'tax']],
  ['{{@root.title}} {{this.number}} {{./number}}', ['title', 'number']],
  ['{{#unless paid}}{{due}}{{/unless}}', ['due']],
  ['{{#if logo}}x{{else}}{{name}}{{/if}}', ['name']],
  ['{{lookup labels "total"}}', ['labels']],
  ['{{> address customer}}', ['city']],
  ['{{#*inline "row"}}{{cell}}{{/inline}}{{> row}}', ['cell']],
  ['{{constructor}} {{__proto__}}', ['constructor', '__proto__']],
])('a variable that is needed and absent is missing: %s', (source, expected) => {
  expect(missing(source, {}, { address: '{{city}}' })).toEqual(expected);
});

test.each([
  '{{#if x}}{{x}}{{y}}{{/if}}',
  '{{#if (gt x 1)}}a{{/if}}{{#if (and x (not y))}}b{{/if}}',
  '{{#unless x}}a{{/unless}}',
  '{{#x}}{{y}}{{/x}}{{^x}}a{{/x}}',
  '{{default x "none"}} {{or x y}}',
  '{{#each x}}a{{else}}none{{/each}}{{#with x}}a{{else}}none{{/with}}',
  '{{#and x y}}b{{/and}}',
  '{{formatCurrency 5 "EUR" locale=locale}}',
  '{{formatNumber 5 decimals=digits}}',
  '{{#each (range 1 2)}}{{this}}{{@index}}{{@key}}{{@first}}{{/each}}',
  '{{> address customer title=title}}',
])('a variable that is only tested, or has a default, is not missing: %s', (source) => {
  expect(missing(source, {}, { address: 'a' })).toEqual([]);
});

test('null, empty text, false, zero and empty lists are values', () => {
  const data = { a: null, b: '', c: false, d: 0, e: [], f: { g: null }, h: null };
  expect(
    missing(
      '{{a}}{{b}}{{c}}{{d}}{{e}}{{f.g}}{{h.i}}{{#each e}}{{x}}{{/each}}{{#each a}}{{x}}{{/each}}',
      data,
    ),
  ).toEqual([]);
});

test('the path names the place in the data, and counts the items of a list', () => {
  const items = [{ price: 1 }, { name: 'a', parts: [{ id: 1 }, {}] }, { name: 'b', parts: [{}] }];
  const source =
    '{{#each items}}{{name}}{{price}}{{#each parts}}{{id}}{{../../title}}{{../note}}{{else}}-{{/each}}{{/each}}';
  expect(missing(source, { items })).toEqual([
    'items[0].name',
    'items[1].price x2',
    'title',
    'items[1].note x2',
    'items[1].parts[1].id x2',
  ]);
  expect(missing('{{#each items as |item i|}}{{item.color}}{{i}}{{/each}}', { items })).toEqual([
    'items[0].color x3',
  ]);
  expect(missing('{{#with customer}}{{address.city}}{{/with}}', { customer: { address: {} } })).toEqual([
    'customer.address.city',
  ]);
});

test('the headers and footers of a document are included, and a name is listed once', () => {
  const result = compileTemplate({
    source: '{{a}}{{a}}',
    data: {},
    parts: { header: '{{a}} {{b}} {{pageNumber}}' },
  });
  expect(result.ok && result.value.missing).toEqual([
    { path: 'a', count: 1 },
    { path: 'b', count: 1 },
  ]);
});

test('at most 100 variables are listed', () => {
  const source = Array.from({ length: 150 }, (_, index) => `{{v${index}}}`).join('');
  expect(missing(source, {})).toHaveLength(100);
});

test('the output is the same as without the search for missing variables', () => {
  const data = { n: 0, f: false, t: '<b>', z: null, l: [1, 2], o: { a: 1 } };
  const result = compileTemplate({
    source: '{{n}}|{{f}}|{{t}}|{{{t}}}|{{z}}|{{l}}|{{l.length}}|{{o}}|{{x}}|{{~ t ~}} |{{&t}}',
    data,
  });
  expect(result.ok && result.value.html).toBe('0|false|&lt;b&gt;|<b>||1,2|2|[object Object]||&lt;b&gt;|<b>');
});
