import { OutputChoice, PdfInput, resultFields, Type } from '../../../../src/plugin.ts';

/** The body of `POST /v1/pdf/unlock`. */
export const UnlockBody = Type.Object(
  {
    pdf: PdfInput,
    password: Type.String({
      maxLength: 1_000,
      description:
        'The user password or the owner password. An empty string removes the restrictions of a PDF that opens without a password.',
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'UnlockRequest' },
);
