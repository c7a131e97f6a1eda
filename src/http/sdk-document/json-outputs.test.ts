import { expect, test } from 'bun:test';
import { withJsonOutputs } from './json-outputs.ts';

test('the values of output that return bytes are removed, and a default that does makes it required', () => {
  const toOutput = { $ref: '#/components/schemas/Output' };
  const schemas = withJsonOutputs({
    Output: { type: 'string', enum: ['url', 'base64', 'binary'] },
    Request: {
      allOf: [{ type: 'object', properties: { output: { ...toOutput, description: 'Or binary.' } } }],
    },
    Preview: {
      type: 'object',
      required: ['html'],
      properties: { html: { type: 'string' }, output: { type: 'string', enum: ['pdf', 'base64'] } },
    },
    Other: { type: 'object', properties: { output: { type: 'string', enum: ['screen', 'printer'] } } },
  });
  expect(schemas).toEqual({
    Output: { type: 'string', enum: ['url', 'base64'], description: expect.stringContaining('the default') },
    Request: { allOf: [{ type: 'object', properties: { output: toOutput } }] },
    Preview: {
      type: 'object',
      required: ['html', 'output'],
      properties: {
        html: { type: 'string' },
        output: { type: 'string', enum: ['base64'], description: 'The file is returned in base64.' },
      },
    },
    Other: { type: 'object', properties: { output: { type: 'string', enum: ['screen', 'printer'] } } },
  });
});
