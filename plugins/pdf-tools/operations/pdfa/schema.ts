import { pdfAnswerProperties, OutputChoice, PdfInput, Type } from '../../../../src/plugin.ts';

/** The engine cuts longer texts off, to stay within the longest string of PDF/A-1. */
const MAX_METADATA_CHARACTERS = 16_000;
const metadataText = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_METADATA_CHARACTERS,
      expected: `a string of at most ${MAX_METADATA_CHARACTERS} characters`,
      description: `${what}, in Info and XMP alike; the document's own when absent. Control characters become spaces.`,
    }),
  );

/** The body of `POST /v1/pdf/pdfa`. */
export const PdfaBody = Type.Object(
  {
    pdf: PdfInput,
    title: metadataText('The title'),
    author: metadataText('The author'),
    subject: metadataText('The subject'),
    allow_signature_loss: Type.Optional(
      Type.Boolean({
        description: 'Convert a signed document as well: its signatures become pictures. false when absent.',
      }),
    ),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** The answer of `POST /v1/pdf/pdfa`. */
export const PdfaAnswer = Type.Object({
  ...pdfAnswerProperties,
  pdfa: Type.Literal(true, { description: 'The result was checked, and is PDF/A-1b.' }),
});
