import {
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  PdfAnswer,
  pdfTaskLimits,
  runFormTask,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { FlattenBody } from './schema.ts';

/** Registers `POST /v1/pdf/flatten`. The plugin `render` draws field values that their font does not have. */
export function flatten({ routes, sandbox, pdfFiles, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/flatten',
    {
      summary: 'Turn form fields and annotations into page content',
      operationId: 'flattenPdf',
      idempotency: 'kept',
      description:
        'Draws fields and annotations on the pages exactly as they look, in their order, and removes the form. Hidden fields and annotations are removed. Links and attached files stay. A signed PDF is rejected.',
      body: jsonOrMultipart(FlattenBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {},
      examples: { 'a form': { pdf: samplePdf } },
      response: { schema: PdfAnswer, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const pdf = await pdfFiles.load(input);
      const flattened = await runFormTask({
        render,
        accountId: input.account.id,
        run: (drawn) => tasks.flatten({ pdf, drawn }, pdfTaskLimits),
      });
      return pdfFiles.deliver(input, { operation: 'flatten', ...flattened });
    },
  );
}
