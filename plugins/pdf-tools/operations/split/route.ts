import {
  deliverPdf,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  unwrapTaskResult,
  type Static,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { SplitAnswer, SplitBody } from './schema.ts';

/** Adds `POST /v1/pdf/split`. */
export function split({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/split',
    {
      summary: 'Split a PDF by ranges of pages',
      description:
        'A part holds what its pages use and nothing else; links to pages outside of it are removed.',
      body: SplitBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'first page': { pdf: samplePdf, ranges: [[1]] } },
      response: { schema: SplitAnswer, example: { parts: [fileExample], total: 1 } },
    },
    async ({ body: { pdf, ranges, output } }) => {
      const documents = await unwrapTaskResult('pdf', tasks.split({ pdf, ranges }, pdfTaskLimits));
      const parts: Static<typeof SplitAnswer>['parts'] = [];
      // One at a time: a split can have thousands of parts.
      for (const document of documents) parts.push(await deliverPdf(files, document, output));
      return { parts, total: parts.length };
    },
  );
}
