import { jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { InfoResponse, InfoBody } from './schema.ts';

/** An example response of `POST /v1/pdf/info`. */
const infoExample = {
  pages: 12,
  title: 'Annual report',
  author: 'Ada Lovelace',
  subject: '',
  creator: 'Writer',
  producer: 'LibreOffice 24.2',
  creation_date: '2026-03-01T08:30:00.000Z',
  modification_date: null,
  file_size: 183_442,
  encrypted: false,
  pdf_version: '1.7',
  page_sizes: [
    { width: 595.276, height: 841.89, count: 11 },
    { width: 841.89, height: 595.276, count: 1 },
  ],
  has_form: false,
  has_signatures: false,
  tagged: true,
  pdfa: '2B',
};

/** Registers `POST /v1/pdf/info`. */
export function info({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/info',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Read the properties of a PDF',
      operationId: 'getPdfInfo',
      idempotency: { ignored: 'reads a PDF and stores nothing' },
      body: jsonOrMultipart(InfoBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: { 'one page': { pdf: samplePdf } },
      response: { schema: InfoResponse, example: infoExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdf = await files.load(input);
      return new RawJson(await unwrapTaskResult('pdf', tasks.info({ pdf }, pdfTaskLimits)));
    },
  );
}
