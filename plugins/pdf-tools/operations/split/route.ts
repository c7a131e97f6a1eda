import {
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  unwrapTaskResult,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { SplitAnswer, SplitBody } from './schema.ts';

/** Registers `POST /v1/pdf/split`. */
export function split({ routes, sandbox, pdfFiles }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/split',
    {
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
        schema: SplitAnswer,
        example: { parts: [fileExample], total: 1 },
        mediaTypes: ['application/zip'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdf = await pdfFiles.load(input);
      const { ranges } = input.body;
      const parts = await unwrapTaskResult('pdf', tasks.split({ pdf, ranges }, pdfTaskLimits));
      return pdfFiles.deliverParts(input, 'split', parts);
    },
  );
}
