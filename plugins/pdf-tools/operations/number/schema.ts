import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';
import { markSchemas } from '../../../documents/exports.ts';

const MAX_NUMBER = 999_999_999;
const { pages, position, color } = markSchemas;

const Format = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'The text on each page, with the placeholders `{{pageNumber}}`, `{{totalPages}}` and `{{bates}}`. The default is `{{bates}}` if `bates` is present, and `{{pageNumber}} / {{totalPages}}` otherwise.',
});

export const NumberBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('NumberFields', {
      format: Type.Optional(Format),
      start: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_NUMBER,
          expected: `a whole number from 0 to ${MAX_NUMBER}`,
          description:
            'The number of the first numbered page. Each further numbered page has the next number. By default, each page has its number in the document.',
        }),
      ),
      pages: Type.Optional({
        ...pages,
        description: 'The pages to number, such as "1-3, 5, 9-". The default is all pages.',
      }),
      position: Type.Optional({
        ...position,
        description:
          'A place on the page, or the lower left corner of the text in points from the lower left corner of the page as displayed. The default is `bottom`.',
      }),
      font_size: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 200,
          description: 'The size of the text in points. The default is 10.',
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
                description: 'The minimum number of digits. The default is 6.',
              }),
            ),
            start: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 999_999_999_999,
                expected: 'a whole number from 0 to 999999999999',
                description: 'The number of the first numbered page. The default is 1.',
              }),
            ),
          },
          {
            additionalProperties: false,
            title: 'BatesNumber',
            description: 'The Bates number, which `{{bates}}` shows.',
          },
        ),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'NumberRequest' },
);
