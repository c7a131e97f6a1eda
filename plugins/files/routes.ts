import {
  addRecordRoutes,
  AppError,
  fileTypeOf,
  isRawFile,
  jsonOrMultipart,
  sendFile,
  type Routes,
  type Sandbox,
} from '../../src/plugin.ts';
import { presentProof, ProofResponse, proofExample } from './proof/proof.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from './pdf-output.ts';
import type { FilesService } from './contract.ts';
import { PAGE_IMAGE_ROUTE } from './page-images.ts';
import { presentFile } from './present.ts';
import type { FileRecord } from './collections.ts';
import { FileResponse, FileList, FileQuery, fileRecordExample, UploadBody } from './schemas.ts';

const MINIMAL_PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>',
).toString('base64');

/** Mounts the routes of stored PDFs. */
export function mountRoutes(routes: Routes, files: FilesService, sandbox: Sandbox): void {
  const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
  const present = async (record: FileRecord) => presentFile(record, await files.link(record));

  routes.post(
    '/v1/files',
    {
      scope: 'files',
      audit: null,
      summary: 'Upload a PDF or an office document',
      operationId: 'uploadFile',
      idempotency: 'kept',
      description:
        'Stores a PDF for repeated use: other requests accept its id in place of the PDF. An office document is stored for `POST /v1/pdf/convert`; a text or a table needs a name that ends in `.txt`, `.csv` or `.tsv`.',
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'one page': { file: MINIMAL_PDF } },
      response: { status: 201, schema: FileResponse, example: { ...fileRecordExample, operation: 'upload' } },
    },
    async ({ account, body }) => {
      const { file } = body;
      const properties = files.readProperties(body, account);
      const inspected = await unwrapTaskResult('file', tasks.inspect({ file }, pdfTaskLimits)).catch(
        async (error: unknown) => {
          // A busy service says nothing about the file.
          if (!isInvalid(error)) throw error;
          const fileName = body.file_name ?? (isRawFile(file) ? file.fileName : undefined);
          const document = await files.acceptUpload({ file, fileName });
          if (!document) throw error;
          return document;
        },
      );
      if ('type' in inspected) {
        const { type, content } = inspected;
        const named = files.readProperties(body, account, { documentType: type });
        const upload = { operation: 'upload', pdf: content, pages: null, properties: named };
        return present(await files.save({ account, ...upload, documentType: type }));
      }
      const { decoded, pages } = inspected;
      const pdf = isRawFile(file) ? file.raw : decoded;
      if (!pdf) throw new Error('the task returned no bytes');
      return present(await files.save({ account, operation: 'upload', pdf, pages, properties }));
    },
  );

  addRecordRoutes(routes, {
    path: '/v1/files',
    scope: 'files',
    noun: { one: 'file', many: 'files' },
    records: files,
    list: {
      query: FileQuery,
      schema: FileList,
      examples: [fileRecordExample],
      present,
    },
    get: { schema: FileResponse, example: fileRecordExample, present },
    remove: {
      audit: 'file.deleted',
      description: 'Deletes the record and the content. Links to the file stop working.',
      run: (accountId, id) => files.remove(accountId, id),
    },
  });

  routes.get(
    '/v1/files/:id/content',
    {
      scope: 'files',
      summary: 'Download one file',
      operationId: 'downloadFile',
      response: { mediaTypes: ['application/pdf', 'application/zip'] },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      const record = await files.get(account.id, params.id);
      const headers = {
        'platen-file-id': record.id,
        ...(record.pages !== null && { 'platen-pages': String(record.pages) }),
        'cache-control': 'private, no-store',
      };
      const { mediaType, extension } = fileTypeOf(record.id);
      const named = { fileName: record.fileName ?? `${record.id}.${extension}`, mediaType };
      return sendFile({ ...named, body: await files.open(record) }, headers);
    },
  );

  routes.get(
    '/v1/files/:id/pages/:n.png',
    { scope: 'files', ...PAGE_IMAGE_ROUTE, operationId: 'drawFilePage' },
    async ({ account, params, query, request, reserveMemory }) =>
      files.sendPageImage({
        request,
        image: params['n.png'],
        widthPx: query.width,
        find: async () => {
          const { id, pages } = await files.get(account.id, params.id);
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
      scope: 'files',
      summary: 'Read what one file conforms to',
      operationId: 'getFileProof',
      description:
        'The claims of a result, such as PDF/A, that were checked before it was stored, with the hash of the stored bytes. The status is 404 for a file that was made without a claim, or uploaded; `POST /v1/pdf/validate` checks any PDF.',
      response: { schema: ProofResponse, example: { ...proofExample, steps: [{ do: 'pdfa' }] } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) =>
      presentProof((await files.get(account.id, params.id)).proof, `file ${params.id}`),
  );
}

function isInvalid(error: unknown): boolean {
  return error instanceof AppError && error.code === 'VALIDATION_ERROR';
}
