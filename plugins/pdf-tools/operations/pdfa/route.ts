import { deliverPdf, ONE_PDF_BODY_BYTES, unwrapTaskResult } from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { PdfaAnswer, PdfaBody } from './schema.ts';

/** Longer than other operations take: transparent pages are drawn. */
const TIMEOUT_MS = 60_000;

/** Adds `POST /v1/pdf/pdfa`. */
export function pdfa({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/pdfa',
    {
      summary: 'Convert a PDF to PDF/A-1b',
      description:
        'Fonts are embedded; scripts, attachments, layers and what else archives must not have are removed; pages that are seen through are flattened, with their text kept. The result is checked before it is returned: what cannot be made to conform is 400, with a detail for each clause of ISO 19005-1 that it breaks.',
      body: PdfaBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'with a title': { pdf: samplePdf, title: 'Annual report', output: 'base64' } },
      response: { schema: PdfaAnswer, example: { ...fileExample, pdfa: true } },
    },
    async ({ body: { output, allow_signature_loss: allowSignatureLoss, ...request } }) => {
      const call = tasks.convert({ ...request, allowSignatureLoss }, { timeoutMs: TIMEOUT_MS });
      const converted = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
      return { ...(await deliverPdf(files, converted, output)), pdfa: true as const };
    },
  );
}
