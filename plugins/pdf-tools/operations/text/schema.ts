import { Type } from '../../../../src/plugin.ts';
import { PdfInput } from '../../../files/exports.ts';

export const TextBody = Type.Object(
  {
    pdf: PdfInput,
    pages: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          'The pages to read, in this order, such as `"1-3, 5, 10-8"`; `9-` is page 9 to the end. The default is all pages.',
      }),
    ),
    format: Type.Optional(
      Type.Union([Type.Literal('plain'), Type.Literal('markdown'), Type.Literal('json')], {
        title: 'TextFormat',
        description:
          'plain (the default) keeps the lines; markdown marks headings and lists and joins the lines of paragraphs; json adds the words with their boxes.',
      }),
    ),
  },
  { additionalProperties: false, title: 'TextRequest' },
);

const side = (description: string) => Type.Number({ description: `${description}, in points.` });

export const TextResponse = Type.Object(
  {
    pages: Type.Array(
      Type.Object({
        page: Type.Integer({ description: 'The number of the page, from 1.' }),
        text: Type.String(),
        words: Type.Optional(
          Type.Array(
            Type.Object({
              text: Type.String(),
              x: side('The distance of the left edge from that of the page as displayed'),
              y: side('The distance of the lower edge from that of the page as displayed'),
              width: side('The width of the word'),
              height: side('The height of the word'),
            }),
            { description: 'Present with format json.' },
          ),
        ),
      }),
    ),
    total: Type.Integer({ description: 'The number of pages in the response.' }),
  },
  { title: 'TextResult' },
);
