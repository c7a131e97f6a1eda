import type { Routes } from '../../src/plugin.ts';
import { ONE_PDF_BYTES } from '../pdf-tools/contract.ts';
import type { FormsService } from './contract.ts';
import { listExample, sampleForm } from './examples.ts';
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
}
