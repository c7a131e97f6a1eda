import { invalid, isBlankField, jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { rejectResultFields } from '../../reading.ts';
import { AttachmentsResponse, AttachmentsBody } from './schema.ts';

/** A PDF of 27,000,000 bytes and attachments of 25,000,000 bytes in base64. */
const MAX_BODY_BYTES = 80_000_000;

/** An example response of `POST /v1/pdf/attachments`. */
const attachmentsExample = {
  attachments: [
    {
      name: 'sales.csv',
      file_name: 'sales.csv',
      size: 48_211,
      mime_type: 'text/csv',
      description: 'Sales by month',
      relationship: 'data' as const,
      modified_at: '2026-03-01T08:30:00.000Z',
    },
  ],
};

/** Registers `POST /v1/pdf/attachments`. */
export function attachments({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/attachments',
    {
      scope: 'pdf',
      audit: null,
      summary: 'List, add, remove or extract attachments',
      operationId: 'pdfAttachments',
      idempotency: 'kept',
      description:
        'Lists the files that are attached to a PDF. With `extract`, returns files with their content; with `add` or `remove`, changes the PDF.',
      body: jsonOrMultipart(AttachmentsBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: {
        result: ({ add, remove }) => (isBlankField(add) && isBlankField(remove) ? 'other' : 'pdf'),
        adds: ({ add }) => (isBlankField(add) ? undefined : 'attachments'),
        undoes: {
          pdfa: 'changing attachments removes the PDF/A conformance. Change them first, then convert to level 3b, which keeps them',
        },
      },
      examples: {
        list: { pdf: samplePdf },
        add: {
          pdf: samplePdf,
          add: [{ name: 'sales.csv', data: 'bW9udGgsc2FsZXMK', mime_type: 'text/csv', relationship: 'data' }],
        },
      },
      response: {
        schema: AttachmentsResponse,
        example: attachmentsExample,
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { add, remove } = input.body;
      const extract = isBlankField(input.body.extract) ? undefined : input.body.extract;
      const [first, second] = (['add', 'remove', 'extract'] as const).filter(
        (name) => !isBlankField(input.body[name]),
      );
      if (second !== undefined) throw invalid(second, `cannot be combined with ${first}`);
      if (first === undefined || extract) rejectResultFields(input.body, 'add or remove');
      const pdf = await files.load(input);
      if (first === undefined || extract)
        return new RawJson(await unwrapTaskResult('pdf', tasks.read({ pdf, extract }, pdfTaskLimits)));
      const added = add?.map(({ mime_type: mimeType, ...attachment }) => ({ ...attachment, mimeType }));
      const call = tasks.write({ pdf, add: added, remove }, pdfTaskLimits);
      const written = await unwrapTaskResult('pdf', call);
      return files.deliver(input, { operation: 'attachments', ...written });
    },
  );
}
