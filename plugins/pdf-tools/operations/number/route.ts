import { AppError, jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, PdfResponse, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { setupOf, textBox } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { readFormat } from './read-format.ts';
import { NumberBody } from './schema.ts';

const DIGITS = Array.from('0123456789');
const DEFAULT_SIZE_PT = 10;
/**
 * The area in which a text is drawn. Chromium multiplies coordinates by about four, and PDF/A-1 limits them.
 */
const AREA = { widthPt: 7_500, heightPt: 200 };

/** Registers `POST /v1/pdf/number`. The plugin `render` draws the digits and texts. */
export function number({ routes, sandbox, files, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/number',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Number the pages',
      operationId: 'numberPdf',
      idempotency: 'kept',
      description:
        'Writes page numbers or Bates numbers on the pages, with text in any script. The text is an artifact in tagged PDFs, and PDF/A files stay valid.',
      body: jsonOrMultipart(NumberBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {},
      examples: {
        'page numbers': {
          pdf: samplePdf,
          format: 'Page {{pageNumber}} of {{totalPages}}',
          position: 'bottom-right',
        },
        'Bates numbers': { pdf: samplePdf, bates: { prefix: 'ACME-', digits: 7, start: 1 } },
      },
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { format, bates, pages, start, position, font_size: fontSize, color = '#000000' } = input.body;
      const { parts, literals, direction } = readFormat(format, bates);
      if (!render) throw new AppError('NOT_IMPLEMENTED', 'numbers need the plugin "render", which is off');
      const pdf = await files.load(input);
      const boxes = [
        ...DIGITS.map((digit) => textBox(digit, { color, area: AREA })),
        ...literals.map((text) => textBox(text, { color, direction, area: AREA })),
      ];
      const { placement } = setupOf('stamp', {
        position: position ?? 'bottom',
        fontSize: fontSize ?? DEFAULT_SIZE_PT,
      });
      const drawn = await render.drawSnippets(input.account.id, boxes);
      const numbering = {
        source: { pdf: { raw: drawn }, field: 'format' },
        parts,
        pages,
        start,
        bates: bates && { digits: bates.digits ?? 6, start: bates.start ?? 1 },
        placement,
      };
      const written = await unwrapTaskResult('pdf', tasks.number({ pdf, numbering }, pdfTaskLimits));
      return files.deliver(input, { operation: 'number', ...written });
    },
  );
}
