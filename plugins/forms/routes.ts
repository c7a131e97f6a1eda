import { jsonOrMultipart, type Routes } from '../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, PdfResponse } from '../files/exports.ts';
import type { FilesService } from '../files/contract.ts';
import { AddBody, readDefinition } from './add-body.ts';
import type { FormsService } from './contract.ts';
import { addExample, fileExample, listExample, sampleForm } from './examples.ts';
import { FillBody, ListResponse, ListBody } from './schemas.ts';

export function mountRoutes({
  routes,
  forms,
  files,
}: {
  routes: Routes;
  forms: FormsService;
  files: FilesService;
}): void {
  routes.post(
    '/v1/pdf/forms/fill',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Fill in a form',
      operationId: 'fillForm',
      idempotency: 'kept',
      description:
        'Fills all given fields or none: an invalid value is 400. Text in any script is visible in every viewer. A signed file gets an incremental update that keeps its signatures valid; if they forbid the change, the response is 400.',
      body: jsonOrMultipart(FillBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: {
        'text and checkbox': {
          pdf: sampleForm,
          fields: [
            { name: 'name', value: 'Ada Lovelace' },
            { name: 'agree', value: true },
          ],
          flatten: false,
          output: 'base64',
        },
      },
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { account, body } = input;
      const pdf = await files.load(input);
      const { fields, flatten = false } = body;
      const filled = await forms.fillIn({ account, pdf, fields, flatten });
      return files.deliver(input, { operation: 'fill', ...filled });
    },
  );

  routes.post(
    '/v1/pdf/forms/list-fields',
    {
      scope: 'pdf',
      audit: null,
      summary: 'List the fields of a form',
      operationId: 'listFormFields',
      idempotency: { ignored: 'reads a PDF and stores nothing' },
      description:
        'Lists every field with its full name, type, value, position and constraints. A field with several widgets is listed once.',
      body: jsonOrMultipart(ListBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'a form': { pdf: sampleForm } },
      response: { schema: ListResponse, example: listExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => forms.list(await files.load(input)),
  );

  routes.post(
    '/v1/pdf/forms/add-fields',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Add fields to a PDF',
      operationId: 'addFormFields',
      idempotency: 'kept',
      description:
        'Adds text fields, checkboxes, dropdowns, radio buttons and signature fields, all of them or none. The file gets an incremental update. If a signature forbids new fields, the response is 400.',
      body: jsonOrMultipart(AddBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'a field of each type': addExample },
      response: { schema: PdfResponse, example: fileExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { account, body } = input;
      const pdf = await files.load(input);
      const extended = await forms.add({ account, pdf, fields: body.fields.map(readDefinition) });
      return files.deliver(input, { operation: 'add-fields', ...extended });
    },
  );
}
