import { notFound, type Log, type PublicRoutes, type Routes } from '../../src/plugin.ts';
import type { TemplateTestsService } from '../template-tests/contract.ts';
import type { TemplatesService } from '../templates/contract.ts';
import type { Starter, StartersService } from './contract.ts';
import { presentClone, presentListed, presentStarter } from './present.ts';
import { CloneResponse, StarterResponse, StarterList, StarterQuery } from './schemas.ts';
import { storeCases } from './store-cases.ts';
import { readTranslations } from './translations.ts';

/** The characters of an unknown slug that an error repeats. */
const MAX_SHOWN_SLUG = 100;

const listedExample = {
  slug: 'letter',
  name: 'Letter',
  description: 'A business letter.',
  category: 'letter',
  sample_data: { recipient: 'Ada Lovelace' },
};

const starterExample = {
  ...listedExample,
  html_content: '<p>Dear {{recipient}},</p>',
  schema: { recipient: 'string' },
  options: { format: 'A4', margin: '25mm' },
  cases: [
    { name: 'typical', data: listedExample.sample_data },
    { name: 'hard', data: { recipient: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff' } },
  ],
};

const cloneExample = {
  id: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  name: 'Letter',
  version: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  cases: ['typical', 'hard'],
};

/** The routes and services that the plugin uses. */
interface StarterRoutes {
  routes: Routes;
  publicRoutes: PublicRoutes;
  starters: StartersService;
  templates: TemplatesService;
  tests: TemplateTestsService | undefined;
  log: Log;
}

/** Maps the routes of docs/internals/spec.md section 4.4 to the services of starters and templates. */
export function mountRoutes({ routes, publicRoutes, starters, templates, tests, log }: StarterRoutes): void {
  publicRoutes.get(
    '/v1/starter-templates',
    {
      scope: 'public',
      summary: 'List starter templates, without their HTML',
      operationId: 'listStarterTemplates',
      description: 'Requires no API key.',
      query: StarterQuery,
      response: { schema: StarterList, example: { data: [listedExample], has_more: false } },
    },
    ({ query: { search } }) => ({ data: starters.list(search).map(presentListed), has_more: false }),
  );

  publicRoutes.get(
    '/v1/starter-templates/:slug',
    {
      scope: 'public',
      summary: 'Read a starter template',
      operationId: 'getStarterTemplate',
      description: 'Requires no API key.',
      response: { schema: StarterResponse, example: starterExample },
      errors: ['NOT_FOUND'],
    },
    ({ params }) => presentStarter(requireStarter(starters, params.slug)),
  );

  routes.post(
    '/v1/starter-templates/:slug/clone',
    {
      scope: 'templates:write',
      audit: 'template.cloned',
      summary: 'Create a template from a starter',
      operationId: 'cloneStarterTemplate',
      idempotency: 'kept',
      description:
        'The template keeps options, translations, sample data and cases. No pages of the cases are accepted yet.',
      worksOnDocument: true,
      response: { status: 201, schema: CloneResponse, example: cloneExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, reserveMemory }) => {
      const starter = requireStarter(starters, params.slug);
      const { name, html, schema, category, options, sampleData } = starter;
      const translationsJson = await readTranslations(starter, templates);
      const file = starter.file && (await templates.receiveFile({ raw: starter.file.bytes }));
      const usage = {
        optionsJson: options && JSON.stringify(options),
        sampleDataJson: JSON.stringify(sampleData),
      };
      const content = { name, html, ...(file && { file }), schema, category, ...usage, translationsJson };
      const template = await templates.create(account.id, content);
      const copied = { cases: starter.cases, templateId: template.id };
      return presentClone(template, await storeCases(copied, { account, reserveMemory, tests, log }));
    },
  );
}

function requireStarter(starters: StartersService, slug: string): Starter {
  const starter = starters.find(slug);
  if (!starter) throw notFound(`starter template ${slug.slice(0, MAX_SHOWN_SLUG)}`);
  return starter;
}
