import { OutputChoice, PdfInput, resultFields, Type, markSchemas } from '../../../../src/plugin.ts';

const MAX_NUMBER = 999_999_999;
const { pages, position, color } = markSchemas;

const Format = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'The text, with the placeholders `{{pageNumber}}`, `{{totalPages}}` and `{{bates}}`. By default `{{pageNumber}} / {{totalPages}}`, or `{{bates}}` with `bates`.',
});

/** The body of `POST /v1/pdf/number`. */
export const NumberBody = Type.Object(
  {
    pdf: PdfInput,
    format: Type.Optional(Format),
    start: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_NUMBER,
        expected: `a whole number from 0 to ${MAX_NUMBER}`,
        description:
          'The number of the first numbered page; the others follow. By default, each page has its number in the document.',
      }),
    ),
    pages: Type.Optional({
      ...pages,
      description: 'The numbered pages, such as "1-3, 5, 9-". All pages when absent.',
    }),
    position: Type.Optional({
      ...position,
      description:
        'A place on the page, `bottom` when absent; or the lower left corner of the text, in points from the lower left corner of the page as displayed.',
    }),
    font_size: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 200,
        description: 'The size of the text in points; 10 when absent.',
      }),
    ),
    color: Type.Optional(color),
    bates: Type.Optional(
      Type.Object(
        {
          prefix: Type.Optional(
            Type.String({ maxLength: 50, description: 'Text before the number, such as "ACME-".' }),
          ),
          digits: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 15,
              expected: 'a whole number from 1 to 15',
              description: 'The minimum number of digits; 6 when absent.',
            }),
          ),
          start: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 999_999_999_999,
              expected: 'a whole number from 0 to 999999999999',
              description: 'The number of the first numbered page; 1 when absent.',
            }),
          ),
        },
        { additionalProperties: false, description: 'The Bates number, which `{{bates}}` shows.' },
      ),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'NumberRequest' },
);
