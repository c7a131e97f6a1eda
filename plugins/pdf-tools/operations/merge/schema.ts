import { OutputChoice, PdfInput, Type } from '../../../../src/plugin.ts';

const MAX_PDFS = 500;

/** The body of `POST /v1/pdf/merge`. */
export const MergeBody = Type.Object(
  {
    pdfs: Type.Array(PdfInput, {
      minItems: 2,
      maxItems: MAX_PDFS,
      expected: `a list of 2 to ${MAX_PDFS} PDFs as strings in base64`,
      description: 'Merged in the given order.',
    }),
    output: OutputChoice,
  },
  { additionalProperties: false },
);
