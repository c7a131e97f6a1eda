import { jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { SplitResponse, SplitBody } from './schema.ts';

/** Registers `POST /v1/pdf/split`. */
export function split({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/split',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Split a PDF into page ranges',
      operationId: 'splitPdf',
      idempotency: 'kept',
      description:
        'Each part contains only the objects that its pages use. Links to pages outside the part are removed.',
      body: jsonOrMultipart(SplitBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: { 'first page': { pdf: samplePdf, ranges: [[1]] } },
      response: {
        schema: SplitResponse,
        example: { parts: [fileExample], total: 1 },
        mediaTypes: ['application/zip'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdf = await files.load(input);
      const { ranges } = input.body;
      const parts = await unwrapTaskResult('pdf', tasks.split({ pdf, ranges }, pdfTaskLimits));
      return files.deliverParts(input, 'split', parts);
    },
  );
}
