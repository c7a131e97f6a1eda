import { jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, PdfResponse, unwrapTaskResult } from '../../../files/exports.ts';
import { archiveExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { ImagesBody } from './schema.ts';

/** Longer than for most operations, because a page can take a second. */
const TIMEOUT_MS = 60_000;

/** Registers `POST /v1/pdf/images`. */
export function images({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/images',
    {
      scope: 'pdf',
      audit: null,
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
      response: { schema: PdfResponse, example: archiveExample, mediaTypes: ['application/zip'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { pages, type = 'png', dpi = 100 } = input.body;
      const pdf = await files.markInput(await files.load(input));
      const request = { pdf, pages, type, dpi, isTest: input.isTest };
      const call = tasks.draw(request, { timeoutMs: TIMEOUT_MS });
      const drawn = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
      return files.deliverArchive(input, { operation: 'images', ...drawn });
    },
  );
}
