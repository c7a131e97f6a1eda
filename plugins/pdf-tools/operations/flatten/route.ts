import { jsonOrMultipart, Type } from '../../../../src/plugin.ts';
import {
  ONE_PDF_BODY_BYTES,
  OutputChoice,
  PdfInput,
  PdfResponse,
  pdfTaskLimits,
  resultFields,
} from '../../../files/exports.ts';
import { runFormTask } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';

const FlattenBody = Type.Object(
  { pdf: PdfInput, output: OutputChoice, ...resultFields },
  { additionalProperties: false, title: 'FlattenRequest' },
);

/** Registers `POST /v1/pdf/flatten`. The plugin `render` draws field values that their font does not have. */
export function flatten({ routes, sandbox, files, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/flatten',
    {
      scope: 'pdf',
      audit: null,
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
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const pdf = await files.load(input);
      const flattened = await runFormTask({
        render,
        accountId: input.account.id,
        run: (drawn) => tasks.flatten({ pdf, drawn }, pdfTaskLimits),
      });
      return files.deliver(input, { operation: 'flatten', ...flattened });
    },
  );
}
