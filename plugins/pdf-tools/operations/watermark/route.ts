import { AppError, jsonOrMultipart } from '../../../../src/plugin.ts';
import { PdfResponse, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { markBox, markOf, setupOf } from '../../../documents/exports.ts';
import type { WatermarkFields } from '../../../documents/contract.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { WatermarkBody } from './schema.ts';

/** Two PDFs of 27,000,000 bytes in base64. */
const MAX_BODY_BYTES = 80_000_000;

const KINDS = {
  watermark: {
    summary: 'Draw a watermark on the pages',
    operationId: 'watermarkPdf',
    description:
      'Draws a text, an image or a page of another PDF: by default under the content of all pages, centred, with an opacity of 0.2, and text at 45°. Text stays text in any script.',
    examples: {
      text: { pdf: samplePdf, text: 'Draft', color: '#cc0000' },
      'a tiled text': { pdf: samplePdf, text: 'Confidential', tile: true, font_size: 14, pages: '1-' },
    },
  },
  stamp: {
    summary: 'Stamp the pages',
    operationId: 'stampPdf',
    description:
      'Draws a text, an image or a page of another PDF: by default over the content of all pages, centred and opaque. Text stays text in any script.',
    examples: {
      'upper right corner': { pdf: samplePdf, text: 'PAID', position: 'top-right', color: '#008000' },
      'at a point': { pdf: samplePdf, text: 'Copy', position: { x: 20, y: 20 }, rotation: 90, pages: '1' },
    },
  },
};

/** Registers `POST /v1/pdf/watermark`. The plugin `render` draws texts and images. */
export function watermark(context: OperationContext): void {
  mount('watermark', context);
}

/** Registers `POST /v1/pdf/stamp`. */
export function stamp(context: OperationContext): void {
  mount('stamp', context);
}

function mount(kind: keyof typeof KINDS, { routes, sandbox, files, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  const { examples, ...texts } = KINDS[kind];
  routes.post(
    `/v1/pdf/${kind}`,
    {
      scope: 'pdf',
      audit: null,
      ...texts,
      idempotency: 'kept',
      body: jsonOrMultipart(WatermarkBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: {
        undoes: { pdfa: 'a mark removes the PDF/A conformance. Draw it first, then convert' },
      },
      examples,
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { font_size: fontSize, relative_size: relativeSize, ...body } = input.body;
      const fields = { ...body, fontSize, relativeSize };
      const mark = markOf(fields, nameField);
      const pdf = await files.load(input);
      const source =
        mark === 'overlay'
          ? { pdf: await files.loadField(input, 'overlay', body.overlay ?? ''), area: 'pages' as const }
          : { pdf: { raw: await drawn(input.account.id, fields) }, area: 'link' as const };
      const request = { ...setupOf(kind, fields), source: { ...source, field: mark } };
      const written = await unwrapTaskResult('pdf', tasks.draw({ pdf, watermark: request }, pdfTaskLimits));
      return files.deliver(input, { operation: kind, ...written });
    },
  );

  async function drawn(accountId: string, fields: WatermarkFields): Promise<Uint8Array> {
    if (!render)
      throw new AppError('NOT_IMPLEMENTED', 'texts and images need the plugin "render", which is off');
    return render.drawSnippets(accountId, [markBox(fields, nameField)]);
  }
}

function nameField(field: keyof WatermarkFields): string {
  if (field === 'relativeSize') return 'relative_size';
  return field === 'fontSize' ? 'font_size' : field;
}
