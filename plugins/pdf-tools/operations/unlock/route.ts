import { jsonOrMultipart, Type } from '../../../../src/plugin.ts';
import {
  ONE_PDF_BODY_BYTES,
  OutputChoice,
  PdfInput,
  PdfResponse,
  pdfTaskLimits,
  resultFields,
  unwrapTaskResult,
} from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';

const UnlockBody = Type.Object(
  {
    pdf: PdfInput,
    password: Type.String({
      maxLength: 1_000,
      description:
        'The user password or the owner password. An empty string removes the restrictions of a PDF that opens without a password.',
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'UnlockRequest' },
);

/** Registers `POST /v1/pdf/unlock`. */
export function unlock({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/unlock',
    {
      scope: 'pdf',
      audit: null,
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
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { password } = input.body;
      const pdf = await files.load(input);
      const made = await unwrapTaskResult('pdf', tasks.unlock({ pdf, password }, pdfTaskLimits));
      return files.deliver(input, { operation: 'unlock', ...made });
    },
  );
}
