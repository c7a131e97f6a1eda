import { pdfAnswerProperties, OutputChoice, PdfInput, Type, resultFields } from '../../../../src/plugin.ts';
import { MAX_SIDE_PT } from './stamp.ts';

const MAX_NAME = 200;
const MAX_STAMP_TEXT = 1_000;
/** The shortest side of a stamp in points. */
const MIN_SIDE_PT = 4;

const stampText = Type.Optional(Type.String({ maxLength: MAX_STAMP_TEXT }));
const points = (minimum: number, standard: number, what: string) =>
  Type.Optional(
    Type.Number({
      minimum,
      maximum: MAX_SIDE_PT,
      expected: `a number of points from ${minimum} to ${MAX_SIDE_PT}`,
      description: `${what}, in points. The default is ${standard}.`,
    }),
  );

/** The body of `POST /v1/pdf/sign`. The page and the box are validated when the PDF is open. */
export const SignBody = Type.Object(
  {
    pdf: PdfInput,
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      expected: `the name of the signer, a string of 1 to ${MAX_NAME} characters`,
    }),
    reason: stampText,
    location: stampText,
    contact: stampText,
    page: Type.Optional(
      Type.Unknown({
        type: 'integer',
        minimum: 0,
        description: 'The page index, from 0. The default is the first page.',
      }),
    ),
    x: points(0, 50, 'The left edge, from the left of the page as displayed'),
    y: points(0, 50, 'The lower edge, from the bottom of the page as displayed'),
    width: points(MIN_SIDE_PT, 200, 'The width'),
    height: points(MIN_SIDE_PT, 60, 'The height'),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'SignRequest' },
);

/** The response of `POST /v1/pdf/sign`. */
export const SignAnswer = Type.Object(
  {
    ...pdfAnswerProperties,
    signed: Type.Literal(true, {
      description: 'A visual signature was added. It is not a cryptographic signature.',
    }),
    signature_annotation_added: Type.Literal(true, { description: 'The same as `signed`.' }),
  },
  { title: 'SignResult' },
);
