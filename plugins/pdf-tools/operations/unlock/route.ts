import {
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  PdfAnswer,
  pdfTaskLimits,
  unwrapTaskResult,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { UnlockBody } from './schema.ts';

/** Registers `POST /v1/pdf/unlock`. */
export function unlock({ routes, sandbox, pdfFiles }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/unlock',
    {
      summary: 'Remove the passwords of a PDF',
      operationId: 'unlockPdf',
      idempotency: 'kept',
      description:
        'Decrypts a PDF with its user password or owner password. The result has no restrictions. A PDF that is not encrypted is returned unchanged. The password is neither stored nor logged.',
      body: jsonOrMultipart(UnlockBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {},
      examples: { unlock: { pdf: samplePdf, password: 'correct horse' } },
      response: { schema: PdfAnswer, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { password } = input.body;
      const pdf = await pdfFiles.load(input);
      const made = await unwrapTaskResult('pdf', tasks.unlock({ pdf, password }, pdfTaskLimits));
      return pdfFiles.deliver(input, { operation: 'unlock', ...made });
    },
  );
}
