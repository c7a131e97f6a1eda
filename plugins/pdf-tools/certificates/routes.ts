import { AppError, jsonOrMultipart, presentPage, type Routes, type Static } from '../../../src/plugin.ts';
import { certificateExample, uploadExamples } from './examples.ts';
import { presentCertificate } from './present.ts';
import { CertificateAnswer, CertificateList, CertificateQuery, UploadBody } from './schemas.ts';
import type { CertificateUpload, Certificates } from './service.ts';

/** A file of 1 MB in base64, with escaped line breaks. */
const MAX_BODY_BYTES = 1_600_000;

/** Mounts the routes of certificates. */
export function mountCertificates(routes: Routes, certificates: Certificates): void {
  routes.post(
    '/v1/certificates',
    {
      summary: 'Store a certificate for signing',
      operationId: 'uploadCertificate',
      idempotency: 'kept',
      description:
        'Stores the certificate and the private key of a PKCS#12 file. The key is encrypted with a key derived from `PLATEN_SECRET`, and no response, log or export contains it.',
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      outlastsSession: true,
      examples: uploadExamples,
      response: { status: 201, schema: CertificateAnswer, example: certificateExample },
    },
    async ({ account, body }) => presentCertificate(await certificates.save(account.id, readUpload(body))),
  );

  routes.get(
    '/v1/certificates',
    {
      summary: 'List certificates, newest first',
      operationId: 'listCertificates',
      query: CertificateQuery,
      response: { schema: CertificateList, example: { data: [certificateExample], has_more: false } },
    },
    async ({ account, query: { limit, offset } }) =>
      presentPage(
        limit,
        (count) => certificates.list(account.id, { limit: count, offset }),
        async (stored) => presentCertificate(stored),
      ),
  );

  routes.get(
    '/v1/certificates/:id',
    {
      summary: 'Read one certificate',
      operationId: 'getCertificate',
      response: { schema: CertificateAnswer, example: certificateExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => presentCertificate(await certificates.get(account.id, params.id)),
  );

  routes.delete(
    '/v1/certificates/:id',
    {
      summary: 'Delete one certificate',
      operationId: 'deleteCertificate',
      outlastsSession: true,
      description:
        'Deletes the certificate and its private key. Signatures that were made with it stay valid.',
      response: { status: 204 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      await certificates.remove(account.id, params.id);
      return new Response(null, { status: 204 });
    },
  );
}

function readUpload({ name, pkcs12, file, password = '' }: Static<typeof UploadBody>): CertificateUpload {
  if ((pkcs12 === undefined) === (file === undefined)) {
    const message =
      pkcs12 === undefined ? 'one of pkcs12 and file is required' : 'send pkcs12 or file, not both';
    throw new AppError('VALIDATION_ERROR', message, {
      details: ['pkcs12', 'file'].map((path) => ({ path, message })),
    });
  }
  const field = pkcs12 === undefined ? 'file' : 'pkcs12';
  return { name, file: pkcs12 ?? file ?? '', password, field };
}
