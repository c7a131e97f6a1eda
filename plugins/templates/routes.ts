import { AppError, notFound, type Routes, presentPage } from '../../src/plugin.ts';
import type { TemplateInput, TemplatesService } from './contract.ts';
import {
  createdExample,
  createExamples,
  listedExample,
  templateExample,
  updateExamples,
  versionExample,
} from './examples.ts';
import { presentCreated, presentListed, presentTemplate, presentVersion } from './present.ts';
import {
  CreateBody,
  CreatedAnswer,
  DeletedAnswer,
  ListQuery,
  TemplateAnswer,
  TemplateList,
  UpdateBody,
  VersionList,
  VersionListQuery,
  VersionQuery,
} from './schemas.ts';
import { readOptionsAndSample } from './options-and-sample.ts';

/** Maps the routes of docs/spec.md section 4.2 to the service. */
export function mountRoutes(routes: Routes, templates: TemplatesService): void {
  const templateResponse = { schema: TemplateAnswer, example: templateExample };

  routes.post(
    '/v1/templates',
    {
      summary: 'Store a template',
      operationId: 'createTemplate',
      idempotency: 'kept',
      description:
        'A template that is not valid Handlebars gives 400 with line and column. Read the template to get `updated_at` and `category`.',
      body: CreateBody,
      worksOnDocument: true,
      examples: createExamples,
      response: { status: 201, schema: CreatedAnswer, example: createdExample },
    },
    async ({
      account,
      body: { name, html_content: html, schema = {}, category = 'other', partial, ...usage },
    }) =>
      presentCreated(
        await templates.create(account.id, {
          name,
          html,
          schema,
          category,
          ...(partial !== undefined && { isPartial: partial }),
          ...readOptionsAndSample(usage, templates),
        }),
      ),
  );

  routes.get(
    '/v1/templates',
    {
      summary: 'List templates, newest first, without their HTML',
      operationId: 'listTemplates',
      query: ListQuery,
      response: { schema: TemplateList, example: { data: [listedExample], has_more: false } },
    },
    async ({ account, query: { limit, offset, search, category } }) => {
      return presentPage(
        limit,
        (count) => templates.list(account.id, { limit: count, offset, search, category }),
        presentListed,
      );
    },
  );

  routes.get(
    '/v1/templates/:id',
    {
      summary: 'Read a template, or an earlier version of it',
      operationId: 'getTemplate',
      description: '`version` selects the HTML of that version; all other fields are always current.',
      query: VersionQuery,
      response: templateResponse,
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query }) =>
      presentTemplate(await templates.get(account.id, params.id, query.version)),
  );

  routes.put(
    '/v1/templates/:id',
    {
      summary: 'Change a template',
      operationId: 'updateTemplate',
      description: 'Absent fields keep their value. `version` increases by one when `html_content` changes.',
      body: UpdateBody,
      worksOnDocument: true,
      examples: updateExamples,
      response: templateResponse,
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, body: { html_content: html, options, sample_data, partial, ...fields } }) => {
      const change: Partial<TemplateInput> = {
        ...fields,
        ...(html !== undefined && { html }),
        ...(partial !== undefined && { isPartial: partial }),
        ...readOptionsAndSample({ options, sample_data }, templates),
      };
      if (Object.keys(change).length === 0)
        throw new AppError(
          'VALIDATION_ERROR',
          'one of name, html_content, schema, category, partial, options and sample_data is required',
        );
      return presentTemplate(await templates.update(account.id, params.id, change));
    },
  );

  routes.get(
    '/v1/templates/:id/versions',
    {
      operationId: 'listTemplateVersions',
      summary: 'List the versions of a template, newest first',
      query: VersionListQuery,
      response: { schema: VersionList, example: { data: [versionExample], has_more: false } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query: { limit, offset } }) => {
      return presentPage(
        limit,
        (count) => templates.listVersions(account.id, params.id, { limit: count, offset }),
        presentVersion,
      );
    },
  );

  routes.post(
    '/v1/templates/:id/versions/:version/restore',
    {
      operationId: 'restoreTemplateVersion',
      idempotency: 'kept',
      summary: 'Restore a version of a template',
      description: 'Creates a new version with the HTML of the given one. The other fields do not change.',
      response: { ...templateResponse, status: 201 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params: { id, version } }) =>
      presentTemplate(await templates.restore(account.id, id, readVersion(version))),
  );

  routes.delete(
    '/v1/templates/:id',
    {
      summary: 'Delete a template with all its versions',
      operationId: 'deleteTemplate',
      description: 'Generations made from it are kept.',
      response: { schema: DeletedAnswer, example: { id: templateExample.id, deleted: true } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params: { id } }) => {
      await templates.remove(account.id, id);
      return { id, deleted: true };
    },
  );
}

/** Reads a version number in a path. @throws {AppError} NOT_FOUND for other text, as for a version that does not exist. */
function readVersion(text: string): number {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw notFound('version');
  return Number(text);
}
