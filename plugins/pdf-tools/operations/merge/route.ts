import { jsonOrMultipart, PdfAnswer, pdfTaskLimits, unwrapTaskResult } from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { MergeBody } from './schema.ts';

const MAX_BODY_BYTES = 150_000_000;

/** Registers `POST /v1/pdf/merge`. */
export function merge({ routes, sandbox, pdfFiles }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/merge',
    {
      summary: 'Merge PDFs',
      operationId: 'mergePdfs',
      idempotency: 'kept',
      description:
        'Merges whole documents: pages, outlines, links, form fields, page labels, layers and attachments. Conflicting names are changed in the later document. The appearance of a cryptographic signature becomes a Stamp annotation.',
      body: jsonOrMultipart(MergeBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: {
        undoes: {
          pdfa: 'the merged file is not PDF/A. Merge first, then convert',
          signature: 'the signer has not seen the other PDFs. Merge first, then sign',
        },
      },
      examples: { 'two documents': { pdfs: [samplePdf, samplePdf], output: 'base64' } },
      response: { schema: PdfAnswer, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdfs = await pdfFiles.loadAll(input);
      const merged = await unwrapTaskResult('pdfs', tasks.merge({ pdfs }, pdfTaskLimits));
      return pdfFiles.deliver(input, { operation: 'merge', ...merged });
    },
  );
}
