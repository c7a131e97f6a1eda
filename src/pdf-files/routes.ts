import { jsonOrMultipart } from '../http/body/multipart-body.ts';
import { fileTypeOf } from '../files/media-type.ts';
import { AppError } from '../errors.ts';
import { isRawFile } from '../http/body/file-input.ts';
import type { Tag } from '../http/openapi.ts';
import { presentPage } from '../http/paging.ts';
import type { Routes } from '../http/routes.ts';
import { sendStored } from '../http/send-file.ts';
import { presentProof, ProofAnswer, proofExample } from '../proof/proof.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../pdf-output.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { PAGE_IMAGE_ROUTE, type SendPageImage } from './page-images.ts';
import type { PdfFiles } from './pdf-files.ts';
import { presentFile } from './present.ts';
import type { FileRecord } from './records.ts';
import { FileAnswer, FileList, FileQuery, fileRecordExample, UploadBody } from './schemas.ts';

/** The tag of these routes. */
export const filesTag: Tag = {
  name: 'Files',
  description: 'Stored PDFs: results of PDF operations, and uploads.',
  guide: new URL('../../docs/files.md', import.meta.url),
};

const MINIMAL_PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>',
).toString('base64');

/** Mounts the routes of stored PDFs. */
export function mountFileRoutes(
  routes: Routes,
  {
    pdfFiles,
    sandbox,
    sendPageImage,
  }: { pdfFiles: PdfFiles; sandbox: Sandbox; sendPageImage: SendPageImage },
): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  const present = async (record: FileRecord) => presentFile(record, await pdfFiles.link(record));

  routes.post(
    '/v1/files',
    {
      summary: 'Upload a PDF',
      operationId: 'uploadFile',
      idempotency: 'kept',
      description: 'Stores a PDF for repeated use: other requests accept its id in place of the PDF.',
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'one page': { file: MINIMAL_PDF } },
      response: { status: 201, schema: FileAnswer, example: { ...fileRecordExample, operation: 'upload' } },
    },
    async ({ account, body }) => {
      const { file } = body;
      const properties = pdfFiles.readProperties(body, account);
      const { decoded, pages } = await unwrapTaskResult('file', tasks.inspect({ file }, pdfTaskLimits));
      const pdf = isRawFile(file) ? file.raw : decoded;
      if (!pdf) throw new Error('the task returned no bytes');
      return present(await pdfFiles.save({ account, operation: 'upload', pdf, pages, properties }));
    },
  );

  routes.get(
    '/v1/files',
    {
      summary: 'List files, newest first',
      operationId: 'listFiles',
      query: FileQuery,
      response: { schema: FileList, example: { data: [fileRecordExample], has_more: false } },
    },
    async ({ account, query: { limit, ...query } }) => {
      return presentPage(limit, (count) => pdfFiles.list(account.id, { ...query, limit: count }), present);
    },
  );

  routes.get(
    '/v1/files/:id',
    {
      summary: 'Read one file',
      operationId: 'getFile',
      response: { schema: FileAnswer, example: fileRecordExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => present(await pdfFiles.get(account.id, params.id)),
  );

  routes.get(
    '/v1/files/:id/content',
    {
      summary: 'Download one file',
      operationId: 'downloadFile',
      response: { mediaTypes: ['application/pdf', 'application/zip'] },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      const record = await pdfFiles.get(account.id, params.id);
      const headers = {
        'platen-file-id': record.id,
        ...(record.pages !== null && { 'platen-pages': String(record.pages) }),
        'cache-control': 'private, no-store',
      };
      const { mediaType, extension } = fileTypeOf(record.id);
      const named = { fileName: record.fileName ?? `${record.id}.${extension}`, mediaType };
      return sendStored(await pdfFiles.open(record), named, headers);
    },
  );

  routes.get(
    '/v1/files/:id/pages/:n.png',
    { ...PAGE_IMAGE_ROUTE, operationId: 'drawFilePage' },
    async ({ account, params, query, request, reserveMemory }) =>
      sendPageImage({
        request,
        image: params['n.png'],
        widthPx: query.width,
        find: async () => {
          const { id, pages } = await pdfFiles.get(account.id, params.id);
          const { mediaType } = fileTypeOf(id);
          if (mediaType !== 'application/pdf')
            throw new AppError('VALIDATION_ERROR', `the file is ${mediaType}, not a PDF`);
          return { fileId: id, pages };
        },
        reserveMemory,
      }),
  );

  routes.get(
    '/v1/files/:id/proof',
    {
      summary: 'Read what one file conforms to',
      operationId: 'getFileProof',
      description:
        'The claims of a result, such as PDF/A, that were checked before it was stored, with the hash of the stored bytes. The status is 404 for a file that was made without a claim, or uploaded; `POST /v1/pdf/validate` checks any PDF.',
      response: { schema: ProofAnswer, example: { ...proofExample, steps: [{ do: 'pdfa' }] } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) =>
      presentProof((await pdfFiles.get(account.id, params.id)).proof, `file ${params.id}`),
  );

  routes.delete(
    '/v1/files/:id',
    {
      summary: 'Delete one file',
      operationId: 'deleteFile',
      description: 'Deletes the record and the content. Links to the file stop working.',
      response: { status: 204 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      await pdfFiles.remove(account.id, params.id);
      return new Response(null, { status: 204 });
    },
  );
}
