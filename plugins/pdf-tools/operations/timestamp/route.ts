import { AppError, explainTaskFailure, invalid, jsonOrMultipart, Type } from '../../../../src/plugin.ts';
import {
  ONE_PDF_BODY_BYTES,
  OutputChoice,
  PdfInput,
  pdfResponseProperties,
  pdfTaskLimits,
  resultFields,
  unwrapTaskResult,
} from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';

const NOT_CONFIGURED =
  'a timestamp needs a time stamping authority, and the operator has not configured one (plugins.pdf-tools.tsaUrl)';

const TimestampBody = Type.Object(
  { pdf: PdfInput, output: OutputChoice, ...resultFields },
  { additionalProperties: false, title: 'TimestampRequest' },
);

const TimestampResponse = Type.Object(
  {
    ...pdfResponseProperties,
    timestamp: Type.String({ description: 'The time that the authority confirmed.' }),
  },
  { title: 'TimestampResult' },
);

/** Registers `POST /v1/pdf/timestamp`. */
export function timestamp({ routes, sandbox, files, tsa, confirm }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/timestamp',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Add a document timestamp',
      operationId: 'timestampPdf',
      idempotency: 'kept',
      description:
        'Adds a timestamp from the time stamping authority that the operator configured with `plugins.pdf-tools.tsaUrl` (RFC 3161). It proves that the document existed at that time and has not changed since. Existing signatures stay valid. Without an authority, the response is 400.',
      body: jsonOrMultipart(TimestampBody),
      beforeBody: async () => {
        if (tsa) return undefined;
        throw invalid('', NOT_CONFIGURED);
      },
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { adds: 'certificate', keepsSignatures: true, disabled: tsa ? undefined : NOT_CONFIGURED },
      examples: { 'as a link': { pdf: samplePdf } },
      response: {
        schema: TimestampResponse,
        example: { ...fileExample, timestamp: '2026-11-02T09:15:02.000Z' },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND', 'TSA_ERROR', 'UNAVAILABLE'],
    },
    async (input) => {
      if (!tsa) throw invalid('', NOT_CONFIGURED);
      const pdf = await files.markInput(await files.load(input));
      const pending = await unwrapTaskResult('pdf', tasks.prepare({ pdf }, pdfTaskLimits));
      const { prepared, request, pages } = pending;
      const answer = await tsa.send(request.der);
      const made = await tasks.embed({ prepared, request, answer }, pdfTaskLimits).catch((error: unknown) => {
        throw explainTaskFailure(error, {
          path: 'pdf',
          memory: 'inserting the timestamp exceeds the memory limit',
          deadline: 'inserting the timestamp takes too long',
          waiting: 'PDFs',
          failed: 'the timestamp could not be inserted',
        });
      });
      if ('fault' in made)
        throw new AppError('TSA_ERROR', `the response of the time stamping authority ${made.fault}`);
      const fields = { timestamp: new Date(made.time).toISOString() };
      const claims = await confirm(made.pdf);
      return files.deliver(input, {
        operation: 'timestamp',
        pdf: made.pdf,
        pages,
        claims,
        isMarked: true,
        fields,
      });
    },
  );
}
