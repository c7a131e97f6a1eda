import { invalid, jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, PdfResponse, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { PagesBody } from './schema.ts';

/** Registers `POST /v1/pdf/pages`. */
export function pages({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/pages',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Select, reorder, rotate, repeat or delete pages',
      operationId: 'arrangePages',
      idempotency: 'kept',
      description:
        'Returns a PDF with the listed pages, or without the deleted pages. Bookmarks, links, form fields, tags, page labels and attachments are kept, except links and bookmarks to removed pages.',
      body: jsonOrMultipart(PagesBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        undoes: {
          pdfa: 'the result is not PDF/A. Arrange the pages first, then convert',
          signature: 'the signer has not seen the result. Arrange the pages first, then sign',
        },
      },
      examples: {
        'turn and repeat a page': { pdf: samplePdf, pages: '1r90, 1' },
      },
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { pages: listed, delete: deleted } = input.body;
      if (listed === undefined && deleted === undefined) throw invalid('pages', 'is required, or delete');
      if (listed !== undefined && deleted !== undefined)
        throw invalid('delete', 'cannot be combined with pages');
      const pdf = await files.load(input);
      const call = tasks.arrange({ pdf, pages: listed, deleted }, pdfTaskLimits);
      const arranged = await unwrapTaskResult('pdf', call);
      return files.deliver(input, { operation: 'pages', ...arranged });
    },
  );
}
