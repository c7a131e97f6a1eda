import { jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES } from '../../../files/exports.ts';
import { runFormTask, whyNoAttachments } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { PdfaResponse, PdfaBody } from './schema.ts';

/** Longer than for other operations, because pages with transparency are rasterized. */
const TIMEOUT_MS = 60_000;

/** Registers `POST /v1/pdf/pdfa`. */
export function pdfa({ routes, sandbox, files, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/pdfa',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Convert a PDF to PDF/A',
      operationId: 'convertToPdfa',
      idempotency: 'kept',
      description:
        'Embeds fonts and removes scripts and other content that the level forbids. Level 1b also removes attachments and layers, and flattens pages with transparency while keeping their text. The result is validated before it is returned. If a file cannot be converted, the response is 400 with a detail for each violated clause of ISO 19005.',
      body: jsonOrMultipart(PdfaBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        adds: 'pdfa',
        undoes: ({ level = '1b' }) => ({
          encryption: 'PDF/A does not allow encryption. Leave out one of the two steps',
          invoice: 'an e-invoice is PDF/A-3b already. Leave out pdfa',
          attachments: whyNoAttachments(level, 'level'),
        }),
      },
      examples: {
        'with a title': { pdf: samplePdf, title: 'Annual report', output: 'base64' },
        'another level': { pdf: samplePdf, level: '3b' },
      },
      response: {
        schema: PdfaResponse,
        example: { ...fileExample, pdfa: true, level: '1b' },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { title, author, subject, language, allow_signature_loss: allowSignatureLoss } = input.body;
      const level = input.body.level ?? '1b';
      const keywords = input.body.keywords?.join(', ');
      const pdf = await files.load(input);
      const request = { pdf, level, title, author, subject, keywords, language, allowSignatureLoss };
      const converted = await runFormTask({
        render,
        accountId: input.account.id,
        run: (drawn) => tasks.convert({ ...request, drawn }, { timeoutMs: TIMEOUT_MS }),
        timeoutMs: TIMEOUT_MS,
      });
      const { invoice, ...made } = converted;
      const fields = { pdfa: true, level, ...(invoice && { invoice }) };
      return files.deliver(input, { operation: 'pdfa', ...made, fields });
    },
  );
}
