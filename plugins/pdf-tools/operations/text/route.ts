import { jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { TextResponse, TextBody } from './schema.ts';

/** An example response of `POST /v1/pdf/text` with format json. */
const textExample = {
  pages: [
    {
      page: 1,
      text: 'Annual report',
      words: [
        { text: 'Annual', x: 72, y: 700.2, width: 48.1, height: 16.6 },
        { text: 'report', x: 124.5, y: 700.2, width: 41.3, height: 16.6 },
      ],
    },
  ],
  total: 1,
};

/** Registers `POST /v1/pdf/text`. */
export function text({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/text',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Extract the text',
      operationId: 'pdfText',
      idempotency: { ignored: 'reads a PDF and stores nothing' },
      description:
        'Reads the text of pages in the order of their content, with the text of annotations and form fields. Text in scanned images is not recognized.',
      body: jsonOrMultipart(TextBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: {
        'plain text': { pdf: samplePdf },
        'words of the first page': { pdf: samplePdf, pages: '1', format: 'json' },
      },
      response: { schema: TextResponse, example: textExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { pages, format = 'plain' } = input.body;
      const pdf = await files.load(input);
      return new RawJson(await unwrapTaskResult('pdf', tasks.extract({ pdf, pages, format }, pdfTaskLimits)));
    },
  );
}
