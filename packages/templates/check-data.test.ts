import { describe, expect, test } from 'bun:test';
import { checkData, type VariableSchema } from './check-data.ts';

describe('checkData', () => {
  test('accepts data that matches the schema, and ignores variables that the schema does not name', () => {
    const schema: VariableSchema = {
      a: 'string',
      b: 'number',
      c: 'integer',
      d: 'boolean',
      e: 'array',
      f: 'object',
      g: 'date',
      h: 'date',
      i: 'any',
      'f.x': 'string',
      'dotted.name': 'number',
    };
    const data = {
      a: '',
      b: 1.5,
      c: 0,
      d: false,
      e: [],
      f: { x: 'y' },
      g: '2026-11-21',
      h: 1_795_000_000_000,
      i: null,
      'dotted.name': 3,
      more: true,
    };
    expect(checkData(schema, data)).toEqual([]);
    expect(checkData({}, {})).toEqual([]);
  });

  test.each([
    ['string', undefined, 'missing'],
    ['any', undefined, 'missing'],
    ['string', null, 'null'],
    ['string', 1, 'number'],
    ['number', '1', 'string'],
    ['integer', 1.5, 'number'],
    ['boolean', 'true', 'string'],
    ['array', { length: 0 }, 'object'],
    ['object', [], 'array'],
    ['object', null, 'null'],
    ['date', 'tomorrow', 'string'],
    ['date', '2026-99-99', 'string'],
    ['date', 1e300, 'number'],
    ['date', true, 'boolean'],
  ] as const)('expects %s and reports %j as %s', (expected, value, found) => {
    const data = value === undefined ? {} : { x: value };
    expect(checkData({ x: expected }, data)).toEqual([{ path: 'x', expected, found }]);
  });

  test('follows paths through own properties only', () => {
    expect(checkData({ 'a.b': 'any' }, { a: null })).toEqual([
      { path: 'a.b', expected: 'any', found: 'missing' },
    ]);
    expect(checkData({ 'a.length': 'number' }, { a: 'text' }).length).toBe(1);
    for (const name of ['constructor', 'toString', '__proto__', 'a.constructor'])
      expect(checkData({ [name]: 'any' }, { a: {} })).toEqual([
        { path: name, expected: 'any', found: 'missing' },
      ]);
  });
});
