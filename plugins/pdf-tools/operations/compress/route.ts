import { jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, unwrapTaskResult } from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { CompressResponse, CompressBody } from './schema.ts';

/** Longer than for most operations, because a large image can take a second. */
const TIMEOUT_MS = 60_000;

/** Registers `POST /v1/pdf/compress`. */
export function compress({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/compress',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Make a PDF smaller',
      operationId: 'compressPdf',
      idempotency: 'kept',
      description:
        'Downsamples and re-encodes images, stores equal objects once, compresses streams and omits unused objects. Text, fonts and line art stay as they are. The result is never larger than the PDF.',
      body: jsonOrMultipart(CompressBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { undoes: { pdfa: 'compressing removes the PDF/A conformance. Compress first, then convert' } },
      examples: {
        defaults: { pdf: samplePdf },
        'for the screen': { pdf: samplePdf, image_dpi: 96, image_quality: 60 },
      },
      response: {
        schema: CompressResponse,
        example: { ...fileExample, original_size: 153_911, saved_bytes: 105_700 },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { image_dpi: dpi = 150, image_quality: quality = 75 } = input.body;
      const { allow_signature_loss: allowSignatureLoss = false } = input.body;
      const pdf = await files.load(input);
      const call = tasks.compress({ pdf, dpi, quality, allowSignatureLoss }, { timeoutMs: TIMEOUT_MS });
      const { originalSize, ...made } = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
      const fields = { original_size: originalSize, saved_bytes: originalSize - made.pdf.length };
      return files.deliver(input, { operation: 'compress', ...made, fields });
    },
  );
}
