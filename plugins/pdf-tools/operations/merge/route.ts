import { jsonOrMultipart, Type } from '../../../../src/plugin.ts';
import {
  OutputChoice,
  PdfInput,
  PdfResponse,
  pdfTaskLimits,
  resultFields,
  unwrapTaskResult,
} from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';

const MAX_BODY_BYTES = 150_000_000;
const MAX_PDFS = 500;

const MergeBody = Type.Object(
  {
    pdfs: Type.Array(PdfInput, {
      minItems: 2,
      maxItems: MAX_PDFS,
      expected: `a list of 2 to ${MAX_PDFS} PDFs`,
      description: 'The PDFs to merge, in order.',
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'MergeRequest' },
);

/** Registers `POST /v1/pdf/merge`. */
export function merge({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/merge',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Merge PDFs',
      operationId: 'mergePdfs',
      idempotency: 'kept',
      description:
        'Merges whole documents: pages, outlines, links, form fields, page labels, layers and attachments. Conflicting names are changed in the later document. The appearance of a cryptographic signature becomes a Stamp annotation.',
      body: jsonOrMultipart(MergeBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: {
        undoes: {
          pdfa: 'the merged file is not PDF/A. Merge first, then convert',
          signature: 'the signer has not seen the other PDFs. Merge first, then sign',
        },
      },
      examples: { 'two documents': { pdfs: [samplePdf, samplePdf], output: 'base64' } },
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdfs = await files.loadAll(input);
      const merged = await unwrapTaskResult('pdfs', tasks.merge({ pdfs }, pdfTaskLimits));
      return files.deliver(input, { operation: 'merge', ...merged });
    },
  );
}
