import { SIGNATURE_LEVELS } from '@platen/signatures/levels';
import { fieldGroup, Type, type Static } from '../../src/plugin.ts';
import type { MadePdf } from '../files/contract.ts';

const MAX_NAME = 200;
const MAX_TEXT = 1_000;
/** The shortest side of a stamp in points. */
const MIN_SIDE_PT = 4;
/** The longest side of a stamp in points (ISO 32000-1 annex C.2). */
const MAX_SIDE_PT = 14_400;

const text = (subject: string) =>
  Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: `${subject}, in the stamp and in the signature.` }),
  );
const points = (minimum: number, standard: number, description: string) =>
  Type.Optional(
    Type.Number({
      minimum,
      maximum: MAX_SIDE_PT,
      expected: `a number of points from ${minimum} to ${MAX_SIDE_PT}`,
      description: `${description}, in points. The default is ${standard}.`,
    }),
  );

/** The level of a signature. */
export const SignatureLevel = Type.Union(
  SIGNATURE_LEVELS.map((level) => Type.Literal(level)),
  { title: 'SignatureLevel', expected: `one of ${SIGNATURE_LEVELS.join(', ')}` },
);

/** The schemas of the fields that place a stamp and give its texts. */
export const stampSchemas = fieldGroup('StampFields', {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      expected: `the name of the signer, a string of 1 to ${MAX_NAME} characters`,
      description: 'The name of the signer. With `certificate`, the default is the name in the certificate.',
    }),
  ),
  reason: text('The reason for signing'),
  location: text('The place of signing'),
  contact: text('How to reach the signer'),
  x: points(0, 50, 'The left edge, from the left of the page as displayed'),
  y: points(0, 50, 'The lower edge, from the bottom of the page as displayed'),
  width: points(MIN_SIDE_PT, 200, 'The width'),
  height: points(MIN_SIDE_PT, 60, 'The height'),
});

/** The schemas of the fields of a signature with a certificate, which is required in some requests only. */
export const signatureSchemas = {
  certificate: Type.String({
    minLength: 1,
    maxLength: 100,
    expected: 'the id of a certificate',
    description: 'The id of a stored certificate: `cert_…`. The signature is then cryptographic (PAdES).',
  }),
  ...fieldGroup('SignatureFields', {
    level: Type.Optional({
      ...SignatureLevel,
      description:
        'The PAdES level. The default is b-b. b-t adds a timestamp, b-lt the data to validate the signature when the certificate has expired, and b-lta a timestamp of that data.',
    }),
    visible: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description: 'Whether a stamp shows the signature. The default is true.',
      }),
    ),
    certify: Type.Optional(
      Type.Union(
        [Type.Literal('no_changes'), Type.Literal('form_filling'), Type.Literal('annotations'), Type.Null()],
        {
          title: 'AllowedChanges',
          expected: 'null or one of no_changes, form_filling, annotations',
          description:
            'Certifies the PDF (DocMDP), which only the first signature can do. The changes that later revisions may make: none; filling in forms and signing; or these and annotations. The default is null.',
        },
      ),
    ),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME,
        expected: `a string of 1 to ${MAX_NAME} characters`,
        description:
          'The name of the signature field. An empty signature field of this name is signed, at its own place. If the PDF has no empty signature field, one is added under this name; if it has others, the response is 400. By default, a field is added.',
      }),
    ),
  }),
};

/** The option `signature`. */
export const SignatureOption = Type.Object(
  {
    ...signatureSchemas,
    ...stampSchemas,
    page: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The page index, from 0. The default is the first page.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SignatureOptions',
    description:
      'Signs the PDF with a stored certificate, after all other options. The fields are those of `POST /v1/pdf/sign`.',
  },
);

/** The option `signature`. */
export type SignatureOption = Static<typeof SignatureOption>;

/** Signs a PDF. Resolves with the signed PDF and the claims that hold for it. @throws {AppError} */
export type SignPdf = (pdf: Uint8Array) => Promise<Pick<MadePdf, 'pdf' | 'claims'>>;

/** Signs documents as `options.signature` says. Its errors name the fields as `options.signature.<field>`. */
export interface DocumentSigner {
  /** Validates an option beyond its schema. @throws {AppError} VALIDATION_ERROR */
  check(signature: SignatureOption): void;
  /**
   * Finds the certificate, before the document is rendered. Resolves with a function that signs a PDF.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR for a certificate that has expired
   */
  open(accountId: string, signature: SignatureOption): Promise<SignPdf>;
}

/** Holds the signer of documents. */
export interface SignatureSetting {
  /** `undefined` until a plugin provides it. */
  signer: DocumentSigner | undefined;
}
