import {
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  RawJson,
  unwrapTaskResult,
} from '../../../../src/plugin.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { rejectResultFields } from '../../reading.ts';
import { OutlineAnswer, OutlineBody } from './schema.ts';

/** An example response of `POST /v1/pdf/outline`. */
const outlineExample = {
  outline: [
    { title: 'Summary', page: 1 },
    { title: 'Results', page: 3, children: [{ title: 'Revenue', page: 4 }] },
  ],
};

/** Registers `POST /v1/pdf/outline`. */
export function outline({ routes, sandbox, pdfFiles }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/outline',
    {
      summary: 'Read or write the bookmarks',
      operationId: 'pdfOutline',
      idempotency: 'kept',
      description:
        'Reads the outline of a PDF, which readers show as bookmarks, or with `set` replaces it. Items lead to the top of their page.',
      body: jsonOrMultipart(OutlineBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: ({ set }) => (set === undefined ? 'other' : 'pdf') },
      examples: {
        read: { pdf: samplePdf },
        write: {
          pdf: samplePdf,
          set: [{ title: 'Summary', page: 1, children: [{ title: 'Details', page: 1 }] }],
        },
      },
      response: {
        schema: OutlineAnswer,
        example: outlineExample,
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { set } = input.body;
      if (set === undefined) rejectResultFields(input.body, 'set');
      const pdf = await pdfFiles.load(input);
      if (set === undefined)
        return new RawJson(await unwrapTaskResult('pdf', tasks.read({ pdf }, pdfTaskLimits)));
      const written = await unwrapTaskResult('pdf', tasks.write({ pdf, set }, pdfTaskLimits));
      return pdfFiles.deliver(input, { operation: 'outline', ...written });
    },
  );
}
