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
  ActionAnswer,
  ActionBody,
  AuthAnswer,
  NewGenerations,
  NewTemplates,
  TriggerQuery,
} from './schemas.ts';
import { listEnded, runAction } from './service.ts';

/** What the routes work with. */
export interface IntegrationRoutes {
  routes: Routes;
  render: RenderService;
  /** Without it there is no trigger of new templates. */
  templates: TemplatesService | undefined;
}

/** Maps SPEC 4.8 to the services of render and templates. */
export function mountRoutes({ routes, render, templates }: IntegrationRoutes): void {
  routes.get(
    '/v1/integrations/auth/test',
    {
      summary: 'Test an API key',
      description: 'Another key gives 401.',
      response: { schema: AuthAnswer, example: authExample },
    },
    ({ account: { email, plan } }) => ({ authenticated: true, email, plan }),
  );

  routes.get(
    '/v1/integrations/triggers/new-generation',
    {
      summary: 'Poll for generations that have ended, newest first',
      description: 'A bare list. Those that are still being made are not in it.',
      query: TriggerQuery,
      response: { schema: NewGenerations, example: [newGenerationExample] },
    },
    async ({ account, query: { limit } }) => {
      const ended = await listEnded(render, account.id, limit);
      return Promise.all(
        ended.map(async (generation) => presentNewGeneration(generation, await render.link(generation))),
      );
    },
  );

  if (templates)
    routes.get(
      '/v1/integrations/triggers/new-template',
      {
        summary: 'Poll for templates, newest first',
        description:
          'A bare list, by the time of creation. A change of a template does not bring it to the front.',
        query: TriggerQuery,
        response: { schema: NewTemplates, example: [newTemplateExample] },
      },
      async ({ account, query: { limit } }) =>
        (await templates.list(account.id, { limit, offset: 0 })).map(presentNewTemplate),
    );

  routes.post(
    '/v1/integrations/actions/generate',
    {
      summary: 'Make a PDF from a flat body',
      description: 'As `POST /v1/generate`, with fields that forms of automation platforms can fill in.',
      body: ActionBody,
      worksOnDocument: true,
      examples: actionExamples,
      response: { schema: ActionAnswer, example: actionExample },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, body: { html, template_id: templateId, data, format, orientation } }) => {
      const options = { ...(format && { format }), ...(orientation && { orientation }) };
      const generation = await runAction(render, { account, html, templateId, data, options });
      return presentAction(generation, await render.link(generation));
    },
  );
}
