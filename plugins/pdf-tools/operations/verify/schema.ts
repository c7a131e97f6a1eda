import { SIGNATURE_LEVELS } from '@platen/signatures/levels';
import { Type } from '../../../../src/plugin.ts';
import { PdfInput } from '../../../files/exports.ts';

/** The maximum size of the certificates in a request. */
const MAX_TRUST_LENGTH = 200_000;

export const VerifyBody = Type.Object(
  {
    pdf: PdfInput,
    trust: Type.Optional(
      Type.String({
        maxLength: MAX_TRUST_LENGTH,
        expected: 'certificates in PEM, up to 200,000 characters',
        description: 'Certificates in PEM to trust as roots, in addition to the roots of the operator.',
      }),
    ),
  },
  { additionalProperties: false, title: 'VerifyRequest' },
);

const time = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const VerifyResponse = Type.Object(
  {
    signed: Type.Boolean({ description: 'Whether the PDF has a signature or a document timestamp.' }),
    valid: Type.Boolean({
      description: 'Whether all signatures are intact and trusted, and all later changes are allowed.',
    }),
    signatures: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The full name of the signature field.' }),
        kind: Type.Union([Type.Literal('signature'), Type.Literal('document_timestamp')]),
        signer: text('The common name of the signer or of the time stamping authority.'),
        level: Type.Union([...SIGNATURE_LEVELS.map((level) => Type.Literal(level)), Type.Null()], {
          description: 'The PAdES baseline level; null for other signatures and document timestamps.',
        }),
        intact: Type.Boolean({ description: 'Whether the signed bytes are unchanged.' }),
        trusted: Type.Boolean({
          description:
            'Whether the certificate leads to a trusted root, and was neither expired nor revoked.',
        }),
        covers_whole_file: Type.Boolean(),
        signed_at: time('The time that the signer claims, or that a document timestamp confirms.'),
        timestamp: Type.Union(
          [
            Type.Object({
              time: Type.String(),
              authority: text('The common name of the time stamping authority.'),
              trusted: Type.Boolean(),
            }),
            Type.Null(),
          ],
          { description: 'The timestamp of the signature.' },
        ),
        changes_after: Type.Union(
          [Type.Literal('none'), Type.Literal('allowed'), Type.Literal('not_allowed')],
          {
            description:
              'Whether the file was changed after signing, and whether the signature allows the changes.',
          },
        ),
        certificate: Type.Union(
          [
            Type.Object({
              subject: Type.String(),
              serial_number: Type.String({ description: 'In hexadecimal.' }),
              not_before: Type.String(),
              not_after: Type.String(),
            }),
            Type.Null(),
          ],
          { description: 'The certificate of the signer.' },
        ),
        problems: Type.Array(Type.String(), { description: 'Why the signature is not valid, as sentences.' }),
      }),
      { description: 'The signatures, in the order in which they were made.' },
    ),
  },
  { title: 'VerifyResult' },
);
