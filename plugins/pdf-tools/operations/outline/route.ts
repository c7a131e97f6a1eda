import { jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { rejectResultFields } from '../../reading.ts';
import { OutlineResponse, OutlineBody } from './schema.ts';

/** An example response of `POST /v1/pdf/outline`. */
const outlineExample = {
  outline: [
    { title: 'Summary', page: 1 },
    { title: 'Results', page: 3, children: [{ title: 'Revenue', page: 4 }] },
  ],
};

/** Registers `POST /v1/pdf/outline`. */
export function outline({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/outline',
    {
      scope: 'pdf',
      audit: null,
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
        schema: OutlineResponse,
        example: outlineExample,
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { set } = input.body;
      if (set === undefined) rejectResultFields(input.body, 'set');
      const pdf = await files.load(input);
      if (set === undefined)
        return new RawJson(await unwrapTaskResult('pdf', tasks.read({ pdf }, pdfTaskLimits)));
      const written = await unwrapTaskResult('pdf', tasks.write({ pdf, set }, pdfTaskLimits));
      return files.deliver(input, { operation: 'outline', ...written });
    },
  );
}
