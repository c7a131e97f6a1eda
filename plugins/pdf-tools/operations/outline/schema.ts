import { Type } from '../../../../src/plugin.ts';
import { OutputChoice, optionalPdfProperties, PdfInput, resultFields } from '../../../files/exports.ts';

const item = (page: object) => ({
  type: 'object',
  required: ['title', 'page'],
  properties: {
    title: { type: 'string', description: '1 to 1,000 characters.' },
    page,
    children: { type: 'array', items: { type: 'object' }, description: 'Items of the same shape.' },
  },
});

/** The body of `POST /v1/pdf/outline`. The items are validated when the PDF is open. */
export const OutlineBody = Type.Object(
  {
    pdf: PdfInput,
    set: Type.Optional(
      Type.Array(Type.Unknown(), {
        items: item({ type: 'integer', minimum: 1, description: 'The number of the page, from 1.' }),
        expected: 'a list of { title, page, children? }',
        description:
          'The new outline: up to 50,000 items, nested up to 20 levels deep. An empty list removes the outline. Without `set`, the response contains the outline.',
      }),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'OutlineRequest' },
);

/** The response of `POST /v1/pdf/outline`: the outline, or the changed PDF. */
export const OutlineResponse = Type.Partial(
  Type.Object({
    outline: Type.Array(
      Type.Unsafe<object>(
        item({
          type: ['integer', 'null'],
          description: 'The number of the page, from 1; null if the item leads to no page.',
        }),
      ),
    ),
    ...optionalPdfProperties,
  }),
  { title: 'OutlineResult' },
);
