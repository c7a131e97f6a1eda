import { OutputChoice, pdfAnswerProperties, PdfInput, resultFields, Type } from '../../../../src/plugin.ts';

/** The body of `POST /v1/pdf/timestamp`. */
export const TimestampBody = Type.Object(
  { pdf: PdfInput, output: OutputChoice, ...resultFields },
  { additionalProperties: false, title: 'TimestampRequest' },
);

/** The response of `POST /v1/pdf/timestamp`. */
export const TimestampAnswer = Type.Object(
  {
    ...pdfAnswerProperties,
    timestamp: Type.String({ description: 'The time that the authority confirmed.' }),
  },
  { title: 'TimestampResult' },
);
