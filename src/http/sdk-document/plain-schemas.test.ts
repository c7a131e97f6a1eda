import { expect, test } from 'bun:test';
import { PlainSchemas } from './plain-schemas.ts';
import type { Schema } from './schema.ts';

/** Writes the schema `Root`, and returns all schemas that it needs. */
function write(root: Schema, others: Record<string, Schema> = {}): Record<string, Schema> {
  const schemas = new PlainSchemas({ Root: root, ...others }, new Set());
  schemas.write({ $ref: '#/components/schemas/Root' }, 'Unused');
  return schemas.components();
}

/** Writes a schema as the property `field` of `Root`. */
function writeField(field: Schema, others?: Record<string, Schema>): Schema | undefined {
  const { Root } = write({ type: 'object', properties: { field } }, others);
  return Root?.properties?.['field'];
}

const Size: Schema = { type: 'object', properties: { width: { type: 'number' } } };
const toSize = { $ref: '#/components/schemas/Size' };

test('allOf becomes one object', () => {
  const others = { Base: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } };
  const root: Schema = {
    description: 'A thing.',
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    ],
    unevaluatedProperties: false,
  };
  expect(write(root, others)).toEqual({
    Root: {
      type: 'object',
      description: 'A thing.',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      additionalProperties: false,
    },
  });
});

test.each<[string, Schema, Schema]>([
  ['a constant', { const: 'a', type: 'string' }, { type: 'string', enum: ['a'] }],
  ['a text or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'a decimal',
    { type: ['string', 'number'], description: 'An amount.' },
    { type: 'string', description: 'An amount.' },
  ],
  [
    'a length',
    { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 9 }] },
    { type: 'string', maxLength: 9 },
  ],
  [
    'a choice or null',
    { anyOf: [{ const: 'a', type: 'string' }, { const: 'b', type: 'string' }, { type: 'null' }] },
    { type: 'string', enum: ['a', 'b', null], nullable: true },
  ],
  [
    'true, false or a choice',
    { anyOf: [{ type: 'boolean' }, { const: 'a', type: 'string' }] },
    { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['a'] }] },
  ],
  [
    'a reference with a description',
    { ...toSize, description: 'Wide.' },
    { allOf: [toSize], description: 'Wide.' },
  ],
  ['an object or null', { anyOf: [toSize, { type: 'null' }] }, { allOf: [toSize], nullable: true }],
  ['a pattern and a default', { type: 'string', pattern: '^a$', default: 'a' }, { type: 'string' }],
  [
    'any values',
    { type: 'object', additionalProperties: {} },
    { type: 'object', additionalProperties: true },
  ],
])('%s', (_, schema, expected) => {
  expect(writeField(schema, { Size })).toEqual(expected);
});

test('a simple type with a name is written where it is used', () => {
  const others = { Reference: { type: 'string', maxLength: 400, description: 'Yours.' } };
  const field = { $ref: '#/components/schemas/Reference', description: 'Of the order.' };
  expect(writeField(field, others)).toEqual({ type: 'string', maxLength: 400, description: 'Of the order.' });
  expect(Object.keys(write({ type: 'object', properties: { field } }, others))).toEqual(['Root']);
});

test('an object without a name is named after its place', () => {
  const entries: Schema = { type: 'array', items: { type: 'object', properties: { page_size: Size } } };
  const { Root, ...others } = write({ type: 'object', properties: { entries } });
  expect(Root?.properties).toEqual({
    entries: { type: 'array', items: { $ref: '#/components/schemas/RootEntry' } },
  });
  expect(Object.keys(others).toSorted()).toEqual(['RootEntry', 'RootEntryPageSize']);
});

test('a union of objects becomes one object with the fields of all', () => {
  const Text: Schema = {
    type: 'object',
    required: ['test', 'pages'],
    properties: { test: { type: 'boolean' }, pages: { type: 'array', items: { type: 'string' } } },
  };
  const Info: Schema = {
    type: 'object',
    required: ['test', 'title'],
    properties: { test: { type: 'boolean' }, pages: { type: 'integer' }, title: { type: 'string' } },
  };
  const anyOf = [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Info' }];
  expect(write({ anyOf }, { Text, Info })).toEqual({
    Root: {
      type: 'object',
      required: ['test'],
      properties: { test: { type: 'boolean' }, pages: {}, title: { type: 'string' } },
    },
  });
});

test('a choice with a name that may be null is null at each reference', () => {
  const Level: Schema = { anyOf: [{ const: 'a', type: 'string' }, { type: 'null' }] };
  const toLevel = { $ref: '#/components/schemas/Level' };
  const { Root, ...others } = write(
    { type: 'object', properties: { first: toLevel, second: toLevel } },
    { Level },
  );
  const reference = { allOf: [toLevel], nullable: true };
  expect(Root?.properties).toEqual({ first: reference, second: reference });
  expect(others).toEqual({ Level: { type: 'string', enum: ['a'] } });
});

test('a schema may refer to itself', () => {
  const items = { $ref: '#/components/schemas/Root' };
  const root: Schema = { type: 'object', properties: { children: { type: 'array', items } } };
  expect(write(root)).toEqual({ Root: root });
});

test('a second object with a name gets a number', () => {
  const others = { RootField: { type: 'object', properties: { other: { type: 'string' } } } };
  expect(writeField(Size, others)).toEqual({ $ref: '#/components/schemas/RootField2' });
});

test('lists of different entries become a list of any values', () => {
  const listOf = (type: string): Schema => ({
    type: 'object',
    properties: { list: { type: 'array', items: { type } } },
  });
  const { Root } = write({ anyOf: [listOf('string'), listOf('number')] });
  expect(Root?.properties).toEqual({ list: { type: 'array', items: {} } });
});
