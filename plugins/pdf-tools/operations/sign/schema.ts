import {
  pdfAnswerProperties,
  OutputChoice,
  PdfInput,
  Type,
  resultFields,
  type Static,
} from '../../../../src/plugin.ts';
import { MAX_SIDE_PT } from '../../signing/stamp.ts';

const MAX_NAME = 200;
const MAX_STAMP_TEXT = 1_000;
const MAX_FIELD_NAME = 200;
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

const Level = Type.Union(
  [Type.Literal('b-b'), Type.Literal('b-t'), Type.Literal('b-lt'), Type.Literal('b-lta')],
  { expected: 'one of b-b, b-t, b-lt, b-lta' },
);

/** The fields of a request that signs with a certificate. */
const certificateFields = {
  certificate: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      expected: 'the id of a certificate',
      description:
        'The id of a stored certificate (`cert_…`), or the name of a signer that the operator has set up (`signer:…`). The signature is then cryptographic (PAdES). Without it, only a stamp is added.',
    }),
  ),
  level: Type.Optional({
    ...Level,
    description:
      'The PAdES level; only with `certificate`. The default is b-b. b-t adds a timestamp, b-lt the data to validate the signature when the certificate has expired, and b-lta a timestamp of that data.',
  }),
  visible: Type.Optional(
    Type.Boolean({
      expected: 'true or false',
      description: 'Whether the signature is shown on a page; only with `certificate`. The default is true.',
    }),
  ),
  certify: Type.Optional(
    Type.Union(
      [Type.Literal('no_changes'), Type.Literal('form_filling'), Type.Literal('annotations'), Type.Null()],
      {
        expected: 'null or one of no_changes, form_filling, annotations',
        description:
          'Certifies the PDF (DocMDP); only with `certificate`, for the first signature. The changes that later revisions may make: none; filling in forms and signing; or these and annotations. The default is null.',
      },
    ),
  ),
  field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_FIELD_NAME,
      expected: `a string of 1 to ${MAX_FIELD_NAME} characters`,
      description:
        'The name of the signature field; only with `certificate`. An empty signature field of this name is signed, at its own place. By default, a field is added.',
    }),
  ),
};

/** The body of `POST /v1/pdf/sign`. The page and the box are validated when the PDF is open. */
export const SignBody = Type.Object(
  {
    pdf: PdfInput,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME,
        expected: `the name of the signer, a string of 1 to ${MAX_NAME} characters`,
        description:
          'The name of the signer. With `certificate`, the default is the name in the certificate.',
      }),
    ),
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
    ...certificateFields,
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'SignRequest' },
);

/** The body of `POST /v1/pdf/sign`. */
export type SignBody = Static<typeof SignBody>;

/** The response of `POST /v1/pdf/sign`. */
export const SignAnswer = Type.Object(
  {
    ...pdfAnswerProperties,
    signed: Type.Literal(true, {
      description: 'A signature was added. It is cryptographic if the request has a `certificate`.',
    }),
    signature_annotation_added: Type.Boolean({ description: 'Whether a visible signature was added.' }),
    level: Type.Optional({ ...Level, description: 'The PAdES level; present with `certificate`.' }),
    field: Type.Optional(
      Type.String({ description: 'The name of the signature field; present with `certificate`.' }),
    ),
  },
  { title: 'SignResult' },
);
