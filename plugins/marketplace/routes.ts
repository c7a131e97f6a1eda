import { AppError, presentPage, type Routes } from '../../src/plugin.ts';
import type { TemplatesService } from '../templates/contract.ts';
import { presentClone, presentListed, presentPublic, presentVisibility } from './present.ts';
import { CloneResponse, ListQuery, PublicResponse, PublicList, VisibilityResponse } from './schemas.ts';
import type { MarketplaceService } from './service.ts';

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

/** Maps the routes of docs/internals/spec.md section 4.3 to the services. */
export function mountRoutes(
  routes: Routes,
  { templates, service }: { templates: TemplatesService; service: MarketplaceService },
): void {
  routes.get(
    '/v1/marketplace',
    {
      scope: 'marketplace',
      summary: 'List public templates, newest first',
      operationId: 'listPublicTemplates',
      query: ListQuery,
      response: { schema: PublicList, example: { data: [listedExample], has_more: false } },
    },
    async ({ query }) =>
      presentPage(query, (page) => templates.listPublic({ ...query, ...page }), presentListed),
  );

  routes.get(
    '/v1/marketplace/:id',
    {
      scope: 'marketplace',
      summary: 'Read a public template',
      operationId: 'getPublicTemplate',
      response: { schema: PublicResponse, example: publicExample },
      errors: ['NOT_FOUND'],
    },
    async ({ params }) => {
      const template = await templates.getPublic(params.id);
      return presentPublic(template, await templates.linkFile(template));
    },
  );

  routes.post(
    '/v1/marketplace/:id/clone',
    {
      scope: 'marketplace',
      audit: 'template.cloned',
      summary: 'Copy a public template into the account',
      operationId: 'clonePublicTemplate',
      idempotency: 'kept',
      description:
        'The copy is private, has version 1, and keeps options and sample data. The partials that the template uses become a part of it, and the account receives the assets that were published with it, listed in `assets`. Its name ends with ` (Copy)`.',
      worksOnDocument: true,
      response: { status: 201, schema: CloneResponse, example: cloneExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => presentClone(await service.clone(account.id, params.id)),
  );

  for (const [action, isPublic, summary, description] of [
    [
      'publish',
      true,
      'Publish a template to all accounts',
      'Only the owner of the template may do this, and not with a test key. Copies the assets that the template uses, which clones receive, and lists them in `assets`. Repeating the request updates the copies. `warnings` names references whose assets are unknown or do not exist.',
    ],
    [
      'unpublish',
      false,
      'Remove a template from the marketplace',
      'Only the owner of the template may do this. Deletes the published copies of its assets; clones keep theirs. Repeating the request changes nothing.',
    ],
  ] as const) {
    routes.post(
      `/v1/marketplace/:id/${action}`,
      {
        scope: 'marketplace',
        audit: `template.${action}ed`,
        freesSpace: !isPublic,
        summary,
        operationId: `${action}Template`,
        idempotency: { ignored: 'a template is public or not, however often this is said' },
        description,
        response: {
          schema: VisibilityResponse,
          example: { id: listedExample.id, name: listedExample.name, is_public: isPublic },
        },
        errors: ['NOT_FOUND'],
      },
      async ({ account, isTest, audit, params }) => {
        if (isTest && isPublic)
          throw new AppError('FORBIDDEN', 'a test key does not publish templates; use a live key');
        const unchanged = isPublic ? undefined : await service.findPrivate(account.id, params.id);
        if (unchanged) await audit.describe();
        return presentVisibility(unchanged ?? (await service[action](account.id, params.id)));
      },
    );
  }
}
