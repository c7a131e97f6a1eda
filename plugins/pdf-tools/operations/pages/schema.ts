import { fieldGroup, Type } from '../../../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';

const MAX_CHARACTERS = 10_000;

/**
 * The body of `POST /v1/pdf/pages`. Exactly one of `pages` and `delete` is required. Pages are validated when
 * the PDF is open.
 */
export const PagesBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('PagesFields', {
      pages: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_CHARACTERS,
          expected: `pages and ranges such as "1-3, 7, 5r90, 10-8", with at most ${MAX_CHARACTERS} characters`,
          description:
            'The pages of the result in order, such as "1-3, 7, 5r90, 10-8". `9-` is page 9 to the end, and `10-8` is a reversed range. `r90`, `r180` or `r270` after a page or a range rotates it clockwise by as many degrees. Pages may be repeated. At most 50,000 pages. Exactly one of `pages` and `delete` is required.',
        }),
      ),
      delete: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_CHARACTERS,
          expected: `pages and ranges such as "1-3, 5, 9-", with at most ${MAX_CHARACTERS} characters`,
          description:
            'The pages to remove, such as "1-3, 5, 9-". Exactly one of `pages` and `delete` is required.',
        }),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'PagesRequest' },
);
