import { jsonOrMultipart, ONE_PDF_BODY_BYTES, PdfAnswer, unwrapTaskResult } from '../../../../src/plugin.ts';
import { archiveExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { ImagesBody } from './schema.ts';

/** Longer than for most operations, because a page can take a second. */
const TIMEOUT_MS = 60_000;

/** Registers `POST /v1/pdf/images`. */
export function images({ routes, sandbox, pdfFiles }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/images',
    {
      summary: 'Draw pages as images',
      operationId: 'pdfImages',
      idempotency: 'kept',
      description:
        'Draws pages on white as a viewer shows them, with annotations and form fields. The result is a zip archive with one image for each page: `page-01.png`, `page-02.png` and so on. The images have the order of `pages`; those of a repeated page get a suffix such as `-2`.',
      body: jsonOrMultipart(ImagesBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: {
        'all pages': { pdf: samplePdf },
        'the first page as a JPEG': { pdf: samplePdf, pages: '1', type: 'jpeg', dpi: 150 },
      },
      response: { schema: PdfAnswer, example: archiveExample, mediaTypes: ['application/zip'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { pages, type = 'png', dpi = 100 } = input.body;
      const pdf = await pdfFiles.load(input);
      const call = tasks.draw({ pdf, pages, type, dpi }, { timeoutMs: TIMEOUT_MS });
      const drawn = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
      return pdfFiles.deliverArchive(input, { operation: 'images', ...drawn });
    },
  );
}
