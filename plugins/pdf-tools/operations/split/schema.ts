import { PdfAnswer, OutputChoice, PdfInput, Type } from '../../../../src/plugin.ts';

const MAX_RANGES = 1_000;

/** The body of `POST /v1/pdf/split`. What a range is, is checked where the number of pages is known. */
export const SplitBody = Type.Object(
  {
    pdf: PdfInput,
    ranges: Type.Optional(
      Type.Array(
        Type.Array(Type.Unknown({ type: 'integer', minimum: 1 }), {
          expected: 'a range: [page] or [first, last]',
          description: '`[page]` or `[first, last]`, from 1, inclusive.',
        }),
        {
          maxItems: MAX_RANGES,
          expected: `a list of 1 to ${MAX_RANGES} ranges, each [page] or [first, last]`,
          description:
            'One part for each, in order; they may overlap. Every page is a part of its own when absent.',
        },
      ),
    ),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** The answer of `POST /v1/pdf/split`. */
export const SplitAnswer = Type.Object({ parts: Type.Array(PdfAnswer), total: Type.Integer() });
