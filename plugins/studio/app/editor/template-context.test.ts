import { describe, expect, test } from 'bun:test';
import { inferSchema, openBlocks, pathsAt, readPath, schemaMismatches } from './template-context.ts';

const data = {
  number: 'TW-1',
  customer: { name: 'Ada', city: { name: 'Kendal' } },
  items: [{ description: 'Design', price: 480, tags: ['a'] }],
};
const pathsIn = (before: string) => pathsAt(before, data).map(({ path }) => path);

describe('paths', () => {
  test('outside of blocks, the fields of the data are offered with their parents', () => {
    expect(pathsIn('<h1>')).toEqual([
      'number',
      'customer',
      'customer.name',
      'customer.city',
      'customer.city.name',
      'items',
    ]);
  });

  test('within each, the fields of the first element and the loop variables are offered', () => {
    expect(pathsIn('{{#each items}}<li>')).toEqual([
      'description',
      'price',
      'tags',
      '@index',
      '@first',
      '@last',
    ]);
    expect(pathsIn('{{#each items}}{{/each}}')).toContain('number');
  });

  test('a block parameter keeps the context and adds its own name', () => {
    expect(pathsIn('{{#each items as |item|}}')).toEqual(
      expect.arrayContaining(['number', 'item', 'item.price', '@index']),
    );
  });

  test('nested blocks are resolved from the outermost; if does not change the context', () => {
    expect(pathsIn('{{#with customer}}{{#if name}}{{#with city}}')).toEqual(['name']);
    expect(openBlocks('{{#if a}}{{#each b}}{{/each}}').map(({ name }) => name)).toEqual(['if']);
  });

  test('inherited properties are not data', () => {
    expect(readPath(data, 'customer.constructor')).toBeUndefined();
    expect(readPath(data, 'this.customer.name')).toBe('Ada');
  });
});

describe('schema', () => {
  test('types are inferred by path', () => {
    expect(inferSchema(data)).toEqual({
      number: 'string',
      customer: 'object',
      'customer.name': 'string',
      'customer.city': 'object',
      'customer.city.name': 'string',
      items: 'array',
    });
  });

  test('missing fields and other types are reported', () => {
    const schema = { number: 'number', items: 'array', due: 'date', 'customer.name': 'string', extra: 'any' };
    expect(schemaMismatches(schema, data)).toEqual([
      { path: 'number', expected: 'number', found: 'string' },
      { path: 'due', expected: 'date', found: 'missing' },
      { path: 'extra', expected: 'any', found: 'missing' },
    ]);
    expect(schemaMismatches({ n: 'integer', d: 'date' }, { n: 3, d: '2026-03-29' })).toEqual([]);
  });

  test('a mark of a type says whether the variable may be missing', () => {
    const fitting = {
      customer: 'object!',
      items: 'array?',
      number: 'string!',
      note: 'string?',
      'customer.name': 'any!',
      due: 'date?',
    } as const;
    expect(schemaMismatches(fitting, data)).toEqual([]);
    const wrong = { number: 'object!', items: 'object?', total: 'number!', 'customer.vat': 'any!' } as const;
    expect(schemaMismatches(wrong, data)).toEqual([
      { path: 'number', expected: 'object!', found: 'string' },
      { path: 'items', expected: 'object?', found: 'array' },
      { path: 'total', expected: 'number!', found: 'missing' },
      { path: 'customer.vat', expected: 'any!', found: 'missing' },
    ]);
  });
});
