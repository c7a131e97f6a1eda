import { deliverPdf, ONE_PDF_BODY_BYTES, PdfAnswer, type FileStore, type Routes } from '../../src/plugin.ts';
import { AddBody, readDefinition } from './add-body.ts';
import type { FormsService } from './contract.ts';
import { addExample, fileExample, listExample, sampleForm } from './examples.ts';
import { FillBody, ListAnswer, ListBody } from './schemas.ts';

/** Maps SPEC 4.6 to the service. */
export function mountRoutes({
  routes,
  forms,
  files,
}: {
  routes: Routes;
  forms: FormsService;
  files: FileStore;
}): void {
  routes.post(
    '/v1/pdf/forms/fill',
    {
      summary: 'Fill in a form',
      description:
        'All fields or none: a value that its field does not take is 400. Text of any script is seen in every reader. A signed file gets an update that leaves its signatures valid, or is 400.',
      body: FillBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: {
        'text and a tick': {
          pdf: sampleForm,
          fields: [
            { name: 'name', value: 'Ada Lovelace' },
            { name: 'agree', value: true },
          ],
          flatten: false,
          output: 'base64',
        },
      },
      response: { schema: PdfAnswer, example: fileExample },
      errors: ['NOT_IMPLEMENTED'],
    },
    async ({ account, body: { pdf, fields, flatten = false, output } }) => {
      const request = { account, pdf, fields, flatten };
      return deliverPdf(files, await forms.fillIn(request), output);
    },
  );

  routes.post(
    '/v1/pdf/forms/list-fields',
    {
      summary: 'List the fields of a form',
      description:
        'Every field with its full name, type and value, and beyond that where it is and what it takes. A field that is seen at several places is one.',
      body: ListBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'a form': { pdf: sampleForm } },
      response: { schema: ListAnswer, example: listExample },
    },
    ({ body: { pdf } }) => forms.list(pdf),
  );

  routes.post(
    '/v1/pdf/forms/add-fields',
    {
      summary: 'Add fields to a PDF',
      description:
        'Fields to type in, tick and choose. All are added, or none. The file stays as it is, an update is appended; where a signature in it forbids new fields the answer is 400.',
      body: AddBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'a field of each type': addExample },
      response: { schema: PdfAnswer, example: fileExample },
      errors: ['NOT_IMPLEMENTED'],
    },
    async ({ account, body: { pdf, fields, output } }) => {
      const request = { account, pdf, fields: fields.map(readDefinition) };
      return deliverPdf(files, await forms.add(request), output);
    },
  );
}
