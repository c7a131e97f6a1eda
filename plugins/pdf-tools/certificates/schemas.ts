import { FileInput, pageOf, pageQuery, Timestamp, Type, type Static } from '../../../src/plugin.ts';

export const MAX_NAME_CHARACTERS = 200;

/** The body of `POST /v1/certificates`. */
export const UploadBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME_CHARACTERS,
        expected: `a string of 1 to ${MAX_NAME_CHARACTERS} characters`,
        description: 'A name to recognize the certificate by. The default is the name of its subject.',
      }),
    ),
    pkcs12: Type.Optional(
      FileInput({
        expected: 'a base64 string',
        description: 'A PKCS#12 file (.p12, .pfx) in base64, at most 1,000,000 bytes decoded.',
      }),
    ),
    file: Type.Optional(
      FileInput({ expected: 'a file', description: 'In a multipart request: the PKCS#12 file.' }),
    ),
    password: Type.Optional(
      Type.String({
        maxLength: 1_000,
        expected: 'a string of at most 1,000 characters',
        description:
          'The password of the file. It is used once and not stored. By default, the file has no password.',
      }),
    ),
  },
  { additionalProperties: false, title: 'UploadCertificateRequest' },
);

/** The query of `GET /v1/certificates`. */
export const CertificateQuery = pageQuery(50);

export const CertificateResponse = Type.Object(
  {
    id: Type.String({ description: 'The id. A request that signs sends it as `certificate`.' }),
    name: Type.String(),
    subject: Type.String({ description: 'The signer, as a distinguished name.' }),
    issuer: Type.String(),
    not_before: Timestamp,
    not_after: Timestamp,
    key_type: Type.String({
      description: 'The algorithm and size of the key, such as `RSA 2048` or `EC P-256`.',
    }),
    created_at: Timestamp,
  },
  { title: 'Certificate' },
);

/** A certificate on the wire. */
export type CertificateResponse = Static<typeof CertificateResponse>;

/** A page of certificates, newest first. */
export const CertificateList = pageOf(CertificateResponse, 'CertificateList');
