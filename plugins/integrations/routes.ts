import type { Routes } from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import type { TemplatesService } from '../templates/contract.ts';
import {
  actionExample,
  actionExamples,
  authExample,
  newGenerationExample,
  newTemplateExample,
} from './examples.ts';
import { presentAction, presentNewGeneration, presentNewTemplate } from './present.ts';
import {
  ActionResponse,
  ActionBody,
  AuthResponse,
  NewGenerations,
  NewTemplates,
  TriggerQuery,
} from './schemas.ts';
import { listFinished, runAction } from './service.ts';

/** The routes and services that the plugin uses. */
interface IntegrationRoutes {
  routes: Routes;
  render: RenderService;
  /** `undefined` when the templates plugin is off: then the new-template trigger does not exist. */
  templates: TemplatesService | undefined;
}

/** Maps the routes of docs/internals/spec.md section 4.8 to the services of render and templates. */
export function mountRoutes({ routes, render, templates }: IntegrationRoutes): void {
  routes.get(
    '/v1/integrations/auth/test',
    {
      scope: 'integrations',
      summary: 'Test an API key',
      operationId: 'testApiKey',
      description: 'Returns 401 for an invalid key.',
      response: { schema: AuthResponse, example: authExample },
    },
    ({ account: { email, plan } }) => ({ authenticated: true, email, plan }),
  );

  routes.get(
    '/v1/integrations/triggers/new-generation',
    {
      scope: 'integrations',
      summary: 'Poll for finished generations, newest first',
      operationId: 'pollGenerations',
      description:
        'Returns a JSON array. Generations in progress are not listed. A test key gets only test documents, and a live key only the others.',
      query: TriggerQuery,
      response: { schema: NewGenerations, example: [newGenerationExample] },
    },
    async ({ account, isTest, query: { limit } }) => {
      const finished = await listFinished(render, account.id, { test: isTest, limit });
      return finished.map(presentNewGeneration);
    },
  );

  if (templates)
    routes.get(
      '/v1/integrations/triggers/new-template',
      {
        scope: 'integrations',
        summary: 'Poll for templates, newest first',
        operationId: 'pollTemplates',
        description: 'Returns a JSON array, ordered by creation time. Changing a template does not move it.',
        query: TriggerQuery,
        response: { schema: NewTemplates, example: [newTemplateExample] },
      },
      async ({ account, query: { limit } }) =>
        (await templates.list(account.id, { limit })).records.map(presentNewTemplate),
    );

  routes.post(
    '/v1/integrations/actions/generate',
    {
      scope: 'integrations',
      audit: null,
      summary: 'Generate a PDF from a flat body',
      operationId: 'generatePdfFromForm',
      idempotency: 'kept',
      description:
        'Works like `POST /v1/generate`, with fields that the forms of automation platforms can fill in.',
      body: ActionBody,
      worksOnDocument: true,
      usesQuota: true,
      examples: actionExamples,
      response: { schema: ActionResponse, example: actionExample },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, attempt, body: { html, template_id: templateId, data, format, orientation } }) => {
      const options = { ...(format && { format }), ...(orientation && { orientation }) };
      return presentAction(await runAction(render, { account, attempt, html, templateId, data, options }));
    },
  );
}
