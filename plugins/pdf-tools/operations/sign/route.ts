import {
  AppError,
  invalid,
  jsonOrMultipart,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  unwrapTaskResult,
  type Static,
} from '../../../../src/plugin.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { SignAnswer, SignBody } from './schema.ts';
import {
  drawnSize,
  STAMP_FIT,
  stampHtml,
  cleanText,
  describeStamp,
  isVisible,
  stampLines,
  type StampText,
} from './stamp.ts';

/** Registers `POST /v1/pdf/sign`. The plugin `render` draws the stamp. */
export function sign({ routes, sandbox, pdfFiles, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/sign',
    {
      summary: 'Add a visual signature to a page',
      operationId: 'signPdf',
      description:
        'Adds a stamp with name, reason, location, contact and date. It is not a cryptographic signature and does not reveal later changes. Existing cryptographic signatures stay valid; if they forbid annotations, the response is 400.',
      body: jsonOrMultipart(SignBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        adds: 'signature',
        undoes: { pdfa: 'the stamp is not PDF/A. Sign first, then convert' },
      },
      examples: {
        'lower left corner': {
          pdf: samplePdf,
          name: 'Ada Lovelace',
          reason: 'I approve this document',
          location: 'London',
          x: 10,
          y: 10,
          width: 150,
          height: 50,
          output: 'base64',
        },
      },
      response: {
        schema: SignAnswer,
        example: { ...fileExample, signed: true, signature_annotation_added: true },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { account, body } = input;
      if (!render) throw new AppError('NOT_IMPLEMENTED', 'signing needs the plugin "render", which is off');
      const { page = 0, x = 50, y = 50, width = 200, height = 60 } = body;
      const text = readStampText(body);
      const pdf = await pdfFiles.load(input);
      const at = Date.now();
      const drawn = drawnSize({ width, height });
      const html = stampHtml(stampLines(text, at), drawn);
      const appearance = await render.drawSnippets(account.id, [
        { html, widthPt: drawn.width, heightPt: drawn.height, fit: STAMP_FIT },
      ]);
      const stamp = {
        page,
        box: { x, y, width, height },
        id: `platen-signature-${crypto.randomUUID()}`,
        author: text.name,
        contents: describeStamp(text, at),
        at,
        appearance: { pdf: appearance, ...drawn },
      };
      const signed = await unwrapTaskResult('pdf', tasks.sign({ pdf, ...stamp }, pdfTaskLimits));
      const fields = { signed: true, signature_annotation_added: true };
      return pdfFiles.deliver(input, { operation: 'sign', ...signed, fields });
    },
  );
}

function readStampText({
  name,
  reason = '',
  location = '',
  contact = '',
}: Static<typeof SignBody>): StampText {
  const text = {
    name: cleanText(name),
    reason: cleanText(reason),
    location: cleanText(location),
    contact: cleanText(contact),
  };
  if (!isVisible(text.name)) throw invalid('name', 'must contain a visible character');
  return text;
}
