import { invalid, type Routes, presentPage, MAX_TEMPLATE_CHARACTERS } from '../../src/plugin.ts';
import type { TemplatesService } from '../templates/contract.ts';
import { nameCopy } from './copy-name.ts';
import { presentClone, presentListed, presentPublic, presentVisibility } from './present.ts';
import { CloneAnswer, ListQuery, PublicAnswer, PublicList, VisibilityAnswer } from './schemas.ts';

const listedExample = {
  id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  name: 'Invoice',
  version: 3,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-22T08:00:00.000Z',
};

const publicExample = {
  ...listedExample,
  html_content: '<h1>Invoice {{number}}</h1>',
  schema: { number: 'string' },
  options: { format: 'A4', margin: '20mm' },
  sample_data: { number: '2026-118' },
};

const cloneExample = {
  id: 'tmpl_9aB8cD7eF6gH5iJ4kL3mN2oP',
  name: 'Invoice (Copy)',
  version: 1,
  created_at: '2026-11-23T10:00:00.000Z',
};

/** Maps the routes of docs/spec.md section 4.3 to the service of templates. */
export function mountRoutes(routes: Routes, templates: TemplatesService): void {
  routes.get(
    '/v1/marketplace',
    {
      summary: 'List public templates, newest first',
      operationId: 'listPublicTemplates',
      query: ListQuery,
      response: { schema: PublicList, example: { data: [listedExample], has_more: false } },
    },
    async ({ query: { limit, offset, category, search } }) => {
      return presentPage(
        limit,
        (count) => templates.listPublic({ limit: count, offset, category, search }),
        presentListed,
      );
    },
  );

  routes.get(
    '/v1/marketplace/:id',
    {
      summary: 'Read a public template',
      operationId: 'getPublicTemplate',
      response: { schema: PublicAnswer, example: publicExample },
      errors: ['NOT_FOUND'],
    },
    async ({ params }) => presentPublic(await templates.getPublic(params.id)),
  );

  routes.post(
    '/v1/marketplace/:id/clone',
    {
      summary: 'Copy a public template into the account',
      operationId: 'clonePublicTemplate',
      idempotency: 'kept',
      description:
        'The copy is private, has version 1, and keeps options and sample data. The partials that the template uses become a part of it. Its name ends with ` (Copy)`.',
      worksOnDocument: true,
      response: { status: 201, schema: CloneAnswer, example: cloneExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      const template = await templates.getPublic(params.id);
      const { name, schema, category, optionsJson, sampleDataJson } = template;
      const html = await templates.inlinePartials(template);
      if (html.length > MAX_TEMPLATE_CHARACTERS)
        throw invalid(
          'id',
          `the template and its partials have more than ${MAX_TEMPLATE_CHARACTERS} characters`,
        );
      const usage = { optionsJson: optionsJson ?? null, sampleDataJson: sampleDataJson ?? null };
      return presentClone(
        await templates.create(account.id, { name: nameCopy(name), html, schema, category, ...usage }),
      );
    },
  );

  for (const [action, isPublic, summary] of [
    ['publish', true, 'Publish a template to all accounts'],
    ['unpublish', false, 'Remove a template from the marketplace'],
  ] as const) {
    routes.post(
      `/v1/marketplace/:id/${action}`,
      {
        summary,
        operationId: `${action}Template`,
        idempotency: { ignored: 'a template is public or not, however often this is said' },
        description: 'Only the owner of the template may do this. Repeating the request changes nothing.',
        response: {
          schema: VisibilityAnswer,
          example: { id: listedExample.id, name: listedExample.name, is_public: isPublic },
        },
        errors: ['NOT_FOUND'],
      },
      async ({ account, params }) =>
        presentVisibility(await templates.setPublic(account.id, params.id, isPublic)),
    );
  }
}
