import { deliverPdf, PdfAnswer, pdfTaskLimits, unwrapTaskResult } from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { MergeBody } from './schema.ts';

const MERGE_BYTES = 150_000_000;

/** Adds `POST /v1/pdf/merge`. */
export function merge({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/merge',
    {
      summary: 'Join PDFs',
      description:
        'Whole documents are joined: pages, outlines, links, form fields, labels, layers and attachments. What two documents name alike is renamed. A signature does not survive, its appearance does.',
      body: MergeBody,
      maxBodyBytes: MERGE_BYTES,
      worksOnDocument: true,
      examples: { 'two documents': { pdfs: [samplePdf, samplePdf], output: 'base64' } },
      response: { schema: PdfAnswer, example: fileExample },
    },
    async ({ body: { pdfs, output } }) =>
      deliverPdf(files, await unwrapTaskResult('pdfs', tasks.merge({ pdfs }, pdfTaskLimits)), output),
  );
}
