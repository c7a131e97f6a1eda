import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { fieldGroup } from './field-group.ts';
import { Components } from './openapi-components.ts';
import { createValidator } from './validate.ts';

const size = fieldGroup('SizeFields', { width: Type.Number(), height: Type.Optional(Type.Number()) });
const box = fieldGroup('BoxFields', { x: Type.Number(), ...size });

function convert(fields: Parameters<typeof Type.Object>[0], options = {}) {
  const components = new Components();
  const schema = components.convert(Type.Object(fields, options));
  return { schema, schemas: components.write().schemas };
}

const own = (name: string) => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string' } },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a group of fields', () => {
  test('is a component, to which objects with all of its fields refer', () => {
    const { schema, schemas } = convert(
      { name: Type.String(), ...size },
      { additionalProperties: false, description: 'An image.' },
    );
    expect(schema).toEqual({
      description: 'An image.',
      allOf: [reference('SizeFields'), own('name')],
      unevaluatedProperties: false,
    });
    expect(schemas['SizeFields']).toEqual({
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'number' }, height: { type: 'number' } },
    });
  });

  test('contains other groups, which objects without the rest refer to', () => {
    const { schema, schemas } = convert({ name: Type.String(), ...box });
    expect(schema).toEqual({ allOf: [reference('BoxFields'), own('name')] });
    expect(schemas['BoxFields']).toMatchObject({ allOf: [reference('SizeFields'), { required: ['x'] }] });
    const { x: _, ...rest } = box;
    expect(convert({ name: Type.String(), ...rest }).schema).toEqual({
      allOf: [reference('SizeFields'), own('name')],
    });
  });

  test('is the component of an object with the same name and fields', () => {
    const { schema, schemas } = convert(size, { title: 'SizeFields' });
    expect(schema).toEqual(reference('SizeFields'));
    expect(Object.keys(schemas)).toEqual(['SizeFields']);
    expect(schemas['SizeFields']?.['properties']).toBeDefined();
  });

  test.each([
    ['lacks a field', { width: size.width }],
    ['describes a field in its own way', { ...size, width: { ...size.width, description: 'In points.' } }],
    ['requires an optional field', Type.Required(Type.Object(size)).properties],
    ['does not require a required field', Type.Partial(Type.Object(size)).properties],
  ])('is not used by an object that %s', (_, fields) => {
    const { schema, schemas } = convert(fields);
    expect(Object.keys(schema['properties'] as object)).toEqual(Object.keys(fields));
    expect(schemas).toEqual({});
  });

  test('is not used by an object that describes its other fields', () => {
    const others = { additionalProperties: Type.String() };
    expect(convert(size, others).schema['properties']).toBeDefined();
  });

  test('does not change validation', () => {
    const validate = createValidator(Type.Object(box, { additionalProperties: false }));
    expect(validate({ x: 1, width: 2 })).toEqual({ x: 1, width: 2 });
    expect(() => validate({ x: 1 })).toThrow('width');
    expect(() => validate({ x: 1, width: 2, depth: 3 })).toThrow('depth');
  });
});
