import type { Routes } from '../../src/plugin.ts';
import { FileAnswer, ONE_PDF_BYTES, presentFile } from '../pdf-tools/contract.ts';
import { AddBody, readDefinition } from './add/body.ts';
import type { FormsService } from './contract.ts';
import { addExample, fileExample, listExample, sampleForm } from './examples.ts';
import { presentForm } from './present.ts';
import { ListAnswer, ListBody } from './schemas.ts';

/** Maps SPEC 4.6 to the service. */
export function mountRoutes(routes: Routes, forms: FormsService): void {
  routes.post(
    '/v1/pdf/forms/list-fields',
    {
      summary: 'List the fields of a form',
      description:
        'Every field with its full name, type and value, and beyond that where it is and what it takes. A field that is seen at several places is one.',
      body: ListBody,
      maxBodyBytes: ONE_PDF_BYTES,
      examples: { 'a form': { pdf: sampleForm } },
      response: { schema: ListAnswer, example: listExample },
    },
    async ({ body: { pdf } }) => presentForm(await forms.list(pdf)),
  );

  routes.post(
    '/v1/pdf/forms/add-fields',
    {
      summary: 'Add fields to a PDF',
      description:
        'Fields to type in, tick and choose. All are added, or none. The file stays as it is, an update is appended; where a signature in it forbids new fields the answer is 400.',
      body: AddBody,
      maxBodyBytes: ONE_PDF_BYTES,
      examples: { 'a field of each type': addExample },
      response: { schema: FileAnswer, example: fileExample },
    },
    async ({ account, body: { pdf, fields, output = 'url' } }) => {
      const request = { account, pdf, fields: fields.map(readDefinition) };
      return presentFile(await forms.add(request, output), forms);
    },
  );
}
