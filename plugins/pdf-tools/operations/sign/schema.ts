import { fieldGroup, Type, type Static } from '../../../../src/plugin.ts';
import { pdfResponseProperties, OutputChoice, PdfInput, resultFields } from '../../../files/exports.ts';
import { SignatureLevel, signatureSchemas, stampSchemas } from '../../../documents/exports.ts';

const { certificate, ...others } = signatureSchemas;

/** The body of `POST /v1/pdf/sign`. The page and the box are validated when the PDF is open. */
export const SignBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('SignFields', {
      ...stampSchemas,
      page: Type.Optional(
        Type.Unknown({
          type: 'integer',
          minimum: 0,
          description: 'The page index, from 0. The default is the first page.',
        }),
      ),
      certificate: Type.Optional(certificate),
      ...others,
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'SignRequest' },
);

export type SignBody = Static<typeof SignBody>;

export const SignResponse = Type.Object(
  {
    ...pdfResponseProperties,
    signed: Type.Literal(true, {
      description: 'A signature was added. It is cryptographic if the request has a `certificate`.',
    }),
    signature_annotation_added: Type.Boolean({ description: 'Whether a visible signature was added.' }),
    level: Type.Optional({ ...SignatureLevel, description: 'The PAdES level; present with `certificate`.' }),
    field: Type.Optional(
      Type.String({ description: 'The name of the signature field; present with `certificate`.' }),
    ),
  },
  { title: 'SignResult' },
);
