import { describe, expect, test } from 'bun:test';
import { readsOf } from './missing-variables.ts';
import { addSamples } from './sample-values.ts';

const helpers = new Set([
  'each',
  'if',
  'unless',
  'with',
  'lookup',
  'formatCurrency',
  'uppercase',
  'default',
  'first',
  'eq',
  'or',
]);
const data = {
  customer: { name: 'Ada', address: null },
  items: [{ price: 1 }, { price: 2, note: 'x' }],
  currency: 'EUR',
  rates: { a: { percent: 5 } },
  none: [],
  paid: false,
  greeting: 'Hello',
};
const read = (source: string, from: unknown = data) => readsOf({ source, data: from, helpers });
const missingIn = (source: string) => read(source)?.missing.map(({ name }) => name);

describe('a value that the sample data lacks is found', () => {
  test.each([
    ['{{adress}}', ['adress']],
    ['{{customer.adress}}', ['customer.adress']],
    ['{{{customer.adress}}}', ['customer.adress']],
    ['{{&name}}', ['name']],
    ['{{formatCurrency totl currency}}', ['totl']],
    ['{{formatCurrency items.length currency=crrency}}', ['crrency']],
    ['{{uppercase (uppercase nme)}}', ['nme']],
    ['{{#each items}}{{prize}}{{/each}}', ['prize']],
    ['{{#each items}}{{currency}}{{/each}}', ['currency']],
    ['{{#each items}}{{this.prize}} {{../crrency}}{{/each}}', ['this.prize', '../crrency']],
    ['{{#each items as |item index|}}{{item.prize}}{{/each}}', ['item.prize']],
    ['{{#each items}}{{#if price}}{{prize}}{{../prize}}{{/if}}{{/each}}', ['prize', '../prize']],
    ['{{#each rates}}{{percents}}{{/each}}', ['percents']],
    ['{{#with customer}}{{adress}} {{@root.crrency}}{{/with}}', ['adress', '@root.crrency']],
    ['{{#each rows}}{{prize}}{{/each}}', ['rows']],
    ['{{#with client}}{{name}}{{/with}}', ['client']],
    ['{{#if paid}}{{a}}{{else}}{{b}}{{/if}}', ['a', 'b']],
    ['{{#paid}}{{a}}{{/paid}}', []],
    ['{{#items}}{{prize}}{{/items}}', ['prize']],
    ['{{#if items}}{{#each items}}{{prize}}{{/each}}{{/if}}', ['prize']],
    ['{{> row price=prize}}', ['prize']],
    ['{{#with this}}{{#each items}}{{../crrency}}{{../currency}}{{/each}}{{/with}}', ['../crrency']],
    ['{{items.0.prize}}', ['items.0.prize']],
  ])('%s', (source, names) => expect(missingIn(source)).toEqual(names));
});

describe('a value that exists, may be missing or cannot be known is not found', () => {
  test.each([
    '{{customer.name}} {{currency}} {{items.length}} {{items.[0].price}} {{customer.[name]}}',
    '{{#each items}}{{price}} {{@index}} {{@first}} {{this}} {{this.price}} {{../currency}} {{@root.currency}}{{/each}}',
    '{{#each items}}{{note}}{{/each}}',
    '{{#each items as |item index|}}{{item.price}} {{index}} {{price}}{{/each}}',
    '{{#each rates as |rate name|}}{{name}} {{@key}} {{rate.percent}}{{/each}}',
    '{{#each items}}{{#each ../items}}{{price}} {{../price}} {{../../currency}}{{/each}}{{/each}}',
    '{{#if discount}}yes{{/if}}',
    '{{#if discount}}{{discount}} {{discount.percent}}{{/if}}',
    '{{#if (or discount (eq rebate 1))}}{{rebate}}{{/if}}',
    '{{#unless discount}}none{{else}}{{discount}}{{/unless}}',
    '{{#each items}}{{#if discount}}{{discount}}{{/if}}{{#if ../discount}}{{@root.discount}}{{/if}}{{/each}}',
    '{{default note "none"}} {{uppercase (default note "x")}}',
    '{{#discount}}{{discount}}{{/discount}}{{^discount}}none{{/discount}}',
    '{{#each extras}}{{name}}{{else}}none{{/each}}',
    '{{#each none}}{{anything}}{{/each}}',
    '{{customer.address.street}}',
    '{{#with customer.address}}{{street}}{{/with}}',
    '{{#with (first items)}}{{prize}}{{/with}}',
    '{{> row}} {{#> layout}}{{title}}{{/layout}} {{#*inline "row"}}{{prize}}{{/inline}}',
    '{{uppercase "name"}} {{"greeting"}} {{! comment {{name}} --}}{{!-- {{name}} --}}\\{{name}}',
    '{{{{raw}}}} {{name}} {{{{/raw}}}}',
    '{{#if}}{{name',
  ])('%s', (source) => expect(missingIn(source) ?? []).toEqual([]));
});

test('the position is that of the name, after all kinds of line ends', () => {
  const source = '<p>\r\n{{~ uppercase  nme }}\n  {{#if paid}}\r{{ customer.nme }}{{/if}}';
  const missing = read(source)?.missing ?? [];
  expect(missing.map(({ from, to, line }) => [source.slice(from, to), line])).toEqual([
    ['nme', 2],
    ['customer.nme', 4],
  ]);
});

test('deep nesting and long templates end', () => {
  expect(() => read('{{#if a}}'.repeat(10_000))).not.toThrow();
  expect(() => read(`{{${'('.repeat(90_000)}`)).not.toThrow();
  expect(read('{{a}}'.repeat(20_001))).toBeUndefined();
});

test('the sample values are those that the template reads, and known values stay', () => {
  const source =
    '{{customer.phone}} {{issued}} {{formatCurrency total "EUR"}} {{#each lines}}{{description}} {{formatCurrency unit_price "EUR"}}{{#each tags}}{{this}}{{/each}}{{/each}} {{#each items}}{{prize}}{{/each}} {{__proto__.x}} {{seller.name}} {{seller.address.city}}';
  const reads = read(source);
  if (!reads) throw new Error('the template does not parse');
  const add = reads.missing.map(({ path }) => path);
  const filled = addSamples(data, { add, reads });
  const row = { description: 'Description', unit_price: 12, tags: ['Tags', 'Tags'] };
  expect(filled).toMatchObject({
    customer: { name: 'Ada', phone: 'Phone' },
    total: 12,
    issued: 'Issued',
    lines: [row, row],
    items: [
      { price: 1, prize: 'Prize' },
      { price: 2, prize: 'Prize', note: 'x' },
    ],
    seller: { name: 'Name', address: { city: 'City' } },
  });
  expect(read(source, filled)?.missing).toEqual([]);
  expect(data.customer).not.toHaveProperty('phone');
});
