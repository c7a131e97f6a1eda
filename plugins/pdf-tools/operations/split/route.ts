import {
  deliverPdf,
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  unwrapTaskResult,
  type Static,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { SplitAnswer, SplitBody } from './schema.ts';

/** Registers `POST /v1/pdf/split`. */
export function split({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/split',
    {
      summary: 'Split a PDF into page ranges',
      operationId: 'splitPdf',
      description:
        'Each part contains only the objects that its pages use. Links to pages outside the part are removed.',
      body: jsonOrMultipart(SplitBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'first page': { pdf: samplePdf, ranges: [[1]] } },
      response: { schema: SplitAnswer, example: { parts: [fileExample], total: 1 } },
    },
    async ({ body: { pdf, ranges, output } }) => {
      const documents = await unwrapTaskResult('pdf', tasks.split({ pdf, ranges }, pdfTaskLimits));
      const parts: Static<typeof SplitAnswer>['parts'] = [];
      // Deliver one part at a time: there can be thousands.
      for (const document of documents) parts.push(await deliverPdf(files, document, output));
      return { parts, total: parts.length };
    },
  );
}
