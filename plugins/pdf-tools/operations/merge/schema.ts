import { OutputChoice, PdfInput, Type, resultFields } from '../../../../src/plugin.ts';

const MAX_PDFS = 500;

/** The body of `POST /v1/pdf/merge`. */
export const MergeBody = Type.Object(
  {
    pdfs: Type.Array(PdfInput, {
      minItems: 2,
      maxItems: MAX_PDFS,
      expected: `a list of 2 to ${MAX_PDFS} PDFs`,
      description: 'The PDFs to merge, in order.',
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'MergeRequest' },
);
