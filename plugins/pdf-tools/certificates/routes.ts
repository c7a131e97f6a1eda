import { addRecordRoutes, AppError, jsonOrMultipart, type Routes, type Static } from '../../../src/plugin.ts';
import { certificateExample, uploadExamples } from './examples.ts';
import { presentCertificate } from './present.ts';
import { CertificateResponse, CertificateList, CertificateQuery, UploadBody } from './schemas.ts';
import type { CertificateUpload, Certificates } from './service.ts';

/** A file of 1 MB in base64, with escaped line breaks. */
const MAX_BODY_BYTES = 1_600_000;

export function mountCertificates(routes: Routes, certificates: Certificates): void {
  routes.post(
    '/v1/certificates',
    {
      scope: 'certificates',
      audit: 'certificate.created',
      summary: 'Store a certificate for signing',
      operationId: 'uploadCertificate',
      idempotency: 'kept',
      description:
        'Stores the certificate and the private key of a PKCS#12 file. The key is encrypted with a key derived from `PLATEN_SECRET`, and no response, log or export contains it.',
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      confirmation: 'required',
      examples: uploadExamples,
      response: { status: 201, schema: CertificateResponse, example: certificateExample },
    },
    async ({ account, body }) => presentCertificate(await certificates.save(account.id, readUpload(body))),
  );

  addRecordRoutes(routes, {
    path: '/v1/certificates',
    scope: 'certificates',
    noun: { one: 'certificate', many: 'certificates' },
    records: certificates,
    list: {
      query: CertificateQuery,
      schema: CertificateList,
      examples: [certificateExample],
      present: presentCertificate,
    },
    get: {
      schema: CertificateResponse,
      example: certificateExample,
      present: presentCertificate,
    },
    remove: {
      audit: 'certificate.deleted',
      confirmation: 'required',
      description:
        'Deletes the certificate and its private key. Signatures that were made with it stay valid.',
      run: (accountId, id) => certificates.remove(accountId, id),
    },
  });
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
