import { expect, test } from 'bun:test';
import { Type, type TSchema } from '@sinclair/typebox';
import { Components } from '../openapi-components.ts';
import { toSdkDocument } from './sdk-document.ts';

const PERSON = Type.Object({ name: Type.String() });
const COMPANY = Type.Object({ vat: Type.String() });
const LENGTH = Type.Union([Type.Number(), Type.String()], { title: 'Length' });

/** Derives a document whose only operation takes and returns schemas, and returns its schemas by name. */
function deriveSchemas({ request, response }: { request: TSchema; response: TSchema }) {
  const components = new Components();
  const contentOf = (schema: TSchema) => ({ 'application/json': { schema: components.convert(schema) } });
  const operation = {
    operationId: 'make',
    requestBody: { content: contentOf(request) },
    responses: { 200: { description: 'Made.', content: contentOf(response) } },
  };
  const { schemas } = components.write();
  const document = toSdkDocument(
    {
      info: {},
      tags: [],
      paths: { '/make': { post: operation } },
      webhooks: {},
      components: { schemas, responses: {}, parameters: {}, securitySchemes: {} },
    },
    'http://localhost:3000',
  );
  return document.components.schemas;
}

/** Derives the schema of a field of a request. */
function deriveField(field: TSchema) {
  const request = Type.Object({ field }, { title: 'Request' });
  const { Request, ...others } = deriveSchemas({ request, response: Type.Null() });
  return { field: Request?.properties?.['field'], others };
}

const description = 'Of a plugin.';

test.each<[string, TSchema]>([
  ['an object and a map', Type.Intersect([PERSON, Type.Record(Type.String(), PERSON)], { description })],
  ['an object and a union', Type.Intersect([PERSON, Type.Union([COMPANY, PERSON])], { description })],
  ['a tuple', Type.Tuple([Type.String(), PERSON], { description })],
  ['a map with a pattern', Type.Record(Type.Number(), PERSON, { description })],
  ['everything except a type', Type.Not(Type.String(), { description })],
  ['a union with such a schema', Type.Union([Type.Tuple([PERSON]), Type.String()], { description })],
])('%s has no plain form, and accepts any value', (_, schema) => {
  expect(deriveField(schema).field).toEqual({ description });
});

test('a recursive object accepts every value in place of itself', () => {
  const { field, others } = deriveField(
    Type.Recursive((self) => Type.Object({ children: Type.Array(self) }), { description }),
  );
  expect(field).toEqual({ allOf: [{ $ref: '#/components/schemas/RequestField' }], description });
  expect(others['RequestField']).toEqual({
    type: 'object',
    required: ['children'],
    properties: { children: { type: 'array', items: {} } },
  });
});

test('two objects without names in a union have numbers', () => {
  const { field, others } = deriveField(Type.Union([PERSON, COMPANY, Type.String()]));
  expect(field?.anyOf).toEqual([
    { $ref: '#/components/schemas/RequestFieldObject1' },
    { $ref: '#/components/schemas/RequestFieldObject2' },
    { type: 'string' },
  ]);
  expect(others['RequestFieldObject1']?.properties).toEqual({ name: { type: 'string' } });
  expect(others['RequestFieldObject2']?.properties).toEqual({ vat: { type: 'string' } });
});

test('a number beside a text remains where a response contains the schema', () => {
  const Options = Type.Object({ width: LENGTH }, { title: 'Options' });
  const request = Type.Object({ length: Type.Union([Type.Number(), Type.String()]) }, { title: 'Request' });
  const response = Type.Object({ options: Options }, { title: 'Result' });
  const schemas = deriveSchemas({ request, response });
  const union = { anyOf: [{ type: 'number' }, { type: 'string' }] };
  expect(schemas['Length']).toEqual(union);
  expect(schemas['Options']?.properties).toEqual({ width: { $ref: '#/components/schemas/Length' } });
  expect(schemas['Request']?.properties).toEqual({ length: { type: 'string' } });
  const unnamed = deriveSchemas({
    request,
    response: Type.Object({ length: Type.Union([Type.Number(), Type.String()]) }),
  });
  expect(unnamed['MakeResponse']?.properties).toEqual({ length: union });
});

test('names that languages use for a type of their own are others', () => {
  const file = Type.Object({ id: Type.String() }, { title: 'File' });
  const response = Type.Object({ files: Type.Array(file) }, { title: 'FileList' });
  const schemas = deriveSchemas({ request: PERSON, response });
  expect(Object.keys(schemas).toSorted()).toEqual(['FileList', 'MakeRequest', 'StoredFile']);
  expect(schemas['FileList']?.properties).toEqual({
    files: { type: 'array', items: { $ref: '#/components/schemas/StoredFile' } },
  });
  const taken = Type.Object({ file, stored: Type.Object({}, { title: 'StoredFile' }) });
  expect(Object.keys(deriveSchemas({ request: PERSON, response: taken }))).toContain('File');
});
