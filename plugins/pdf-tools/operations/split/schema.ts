import { Type } from '../../../../src/plugin.ts';
import { PdfResponse, OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';

const MAX_RANGES = 5_000;

/** The body of `POST /v1/pdf/split`. Ranges are validated when the number of pages is known. */
export const SplitBody = Type.Object(
  {
    pdf: PdfInput,
    ranges: Type.Optional(
      Type.Array(
        Type.Array(Type.Unknown({ type: 'integer', minimum: 1 }), {
          expected: 'a range: [page] or [first, last]',
          description: '`[page]` or `[first, last]`, inclusive. Pages count from 1.',
        }),
        {
          title: 'PageRanges',
          maxItems: MAX_RANGES,
          expected: `a list of 1 to ${MAX_RANGES} ranges, each [page] or [first, last]`,
          examples: [[[1, 2], [3]]],
          description:
            'One part for each range, in order. Ranges may overlap. By default, every page becomes a part; then the PDF may have at most 5,000 pages.',
        },
      ),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'SplitRequest' },
);

export const SplitResponse = Type.Object(
  { parts: Type.Array(PdfResponse), total: Type.Integer() },
  { title: 'SplitResult' },
);
