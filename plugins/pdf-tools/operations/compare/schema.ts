import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { PdfInput, resultFields } from '../../../files/exports.ts';

const { file_name: _, ...imageFields } = resultFields;

export const CompareBody = Type.Object(
  {
    pdfs: Type.Array(PdfInput, {
      minItems: 2,
      maxItems: 2,
      expected: 'a list of 2 PDFs',
      description: 'The two PDFs to compare.',
    }),
    ...fieldGroup('CompareFields', {
      dpi: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 600,
          description:
            'Pixels per inch. The default is 72. A page may have at most 12,000,000 pixels, the area that two aligned pages cover together 48,000,000, and all pages of both PDFs 1,500,000,000.',
        }),
      ),
      tolerance: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'The largest difference between two colours that count as equal, from 0 (none) to 1 (between black and white). The default is 0.01.',
        }),
      ),
      ...imageFields,
    }),
  },
  { additionalProperties: false, title: 'CompareRequest' },
);

export const CompareResponse = Type.Object(
  {
    equal: Type.Boolean({ description: 'All pages are equal.' }),
    pages: Type.Array(
      Type.Object({
        page: Type.Integer({ description: 'The number of the page, from 1.' }),
        equal: Type.Boolean({ description: 'No pixel of the page differs by more than the tolerance.' }),
        changed_fraction: Type.Number({
          description: 'The fraction of the pixels that differ, from 0 to 1.',
        }),
        only_in: Type.Optional(
          Type.Integer({
            description: 'The index of the PDF that has the page, from 0; absent if both have it.',
          }),
        ),
        image_url: Type.Optional(
          Type.String({
            description:
              'A link to a PNG that marks the differences in red, for the first 100 pages that differ. It is valid for 30 days.',
          }),
        ),
      }),
    ),
  },
  { title: 'CompareResult' },
);
