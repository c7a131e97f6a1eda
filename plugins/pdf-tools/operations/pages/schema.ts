import { OutputChoice, PdfInput, resultFields, Type } from '../../../../src/plugin.ts';

const MAX_CHARACTERS = 10_000;

/** The body of `POST /v1/pdf/pages`. Pages are validated when the PDF is open. */
export const PagesBody = Type.Object(
  {
    pdf: PdfInput,
    pages: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS,
        expected: `pages and ranges such as "1-3, 7, 5r90, 10-8", with at most ${MAX_CHARACTERS} characters`,
        description:
          'The pages of the result in order, such as "1-3, 7, 5r90, 10-8". A page may be repeated, `9-` ends with the document, `10-8` is reversed, and `r90` turns a page or a range clockwise by 90 degrees (0, 90, 180 or 270). At most 50,000 pages.',
      }),
    ),
    delete: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS,
        expected: `pages and ranges such as "1-3, 5, 9-", with at most ${MAX_CHARACTERS} characters`,
        description: 'The pages to remove, such as "1-3, 5, 9-". Cannot be combined with `pages`.',
      }),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'PagesRequest' },
);
