import {
  AppError,
  invalid,
  notFound,
  presentPage,
  type FileStore,
  type Routes,
  type Static,
} from '../../src/plugin.ts';
import type { FilesService } from '../files/contract.ts';
import { ONE_PDF_BODY_BYTES, PAGE_IMAGE_ROUTE } from '../files/exports.ts';
import { readOptionsAndSample } from '../templates/exports.ts';
import type { TemplatesService } from '../templates/contract.ts';
import { requireCaseName } from './case-name.ts';
import type { CaseInput, TemplateTestsService } from './contract.ts';
import {
  acceptExamples,
  caseExample,
  caseExamples,
  changedExample,
  checkExample,
  checkExamples,
} from './examples.ts';
import { presentCase, presentChanged, presentCheck } from './present.ts';
import {
  AcceptBody,
  BrowserChangeList,
  BrowserChangeQuery,
  CaseBody,
  CaseList,
  CaseQuery,
  CaseResponse,
  CheckBody,
  CheckResponse,
  MAX_CASES,
} from './schemas.ts';

/** Checks and acceptances use no quota, so they may use a tenth of the plan's rate, like previews. */
const RATE_DIVISOR = 10;

/** Mounts the routes of cases and checks. */
export function mountRoutes(
  routes: Routes,
  {
    service,
    templates,
    files,
    pageImages,
  }: {
    service: TemplateTestsService;
    templates: Pick<TemplatesService, 'checkOptions' | 'resolveAlias'>;
    files: Pick<FileStore, 'link'>;
    pageImages: Pick<FilesService, 'sendPageImage'>;
  },
): void {
  /** Names a case in the audit log. */
  const targetOf = async ({
    account,
    params: { id, name },
  }: {
    account: { id: string };
    params: { id: string; name: string };
  }) => `${await templates.resolveAlias(account.id, id)}/${name}`;
  const caseResponse = { schema: CaseResponse, example: caseExample };

  routes.put(
    '/v1/templates/:id/cases/:name',
    {
      scope: 'templates:write',
      audit: 'template.case_saved',
      summary: 'Store a case of a template',
      operationId: 'saveTemplateCase',
      description: `A case is data, and options, with which the template is checked. It replaces a case of the same name, whose accepted pages stay. A template has at most ${MAX_CASES} cases. A name has 1 to 64 letters, digits, spaces, \`-\` and \`_\`, and begins with a letter or digit.`,
      body: CaseBody,
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      examples: caseExamples,
      response: caseResponse,
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { params, body, isTest, audit } = input;
      requireCaseName(params.name);
      const read = readCase(params.name, body, templates);
      await audit.describe({ target: await targetOf(input) });
      return presentCase(await service.put(input, params.id, read), { files, isTest });
    },
  );

  routes.get(
    '/v1/templates/:id/cases',
    {
      scope: 'templates:read',
      summary: 'List the cases of a template, newest first',
      operationId: 'listTemplateCases',
      query: CaseQuery,
      response: {
        schema: CaseList,
        example: { data: [{ ...caseExample, accepted: null }], has_more: false },
      },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query, isTest }) =>
      presentPage(
        query,
        (page) => service.list(account.id, params.id, page),
        (found) => presentCase(found, { files, isTest }),
      ),
  );

  routes.get(
    '/v1/browser-changes',
    {
      scope: 'templates:read',
      summary: 'List the cases that a new version of the browser changes, newest first',
      operationId: 'listBrowserChanges',
      description:
        'When the service starts with another version of Chromium than before, it compares the accepted pages of all cases in the background. The list has no cases of templates in the trash.',
      query: BrowserChangeQuery,
      response: {
        schema: BrowserChangeList,
        example: { data: [changedExample], has_more: false },
      },
    },
    async ({ account, query }) =>
      presentPage(
        query,
        (page) => service.listBrowserChanges(account.id, { status: query.status, ...page }),
        presentChanged,
      ),
  );

  routes.get(
    '/v1/templates/:id/cases/:name',
    {
      scope: 'templates:read',
      summary: 'Read a case of a template',
      operationId: 'getTemplateCase',
      response: caseResponse,
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, isTest }) =>
      presentCase(await service.get(account.id, params.id, params.name), { files, isTest }),
  );

  routes.get(
    '/v1/templates/:id/cases/:name/pages/:n.png',
    {
      scope: 'templates:read',
      ...PAGE_IMAGE_ROUTE,
      summary: 'Draw an accepted page of a case as an image',
      operationId: 'drawCasePage',
    },
    async ({ account, params, query, request, isTest, reserveMemory }) => {
      if (isTest)
        throw new AppError('FORBIDDEN', 'a test key does not see accepted pages, which have no mark');
      return pageImages.sendPageImage({
        request,
        image: params['n.png'],
        widthPx: query.width,
        find: async () => {
          const { accepted } = await service.get(account.id, params.id, params.name);
          if (!accepted) throw notFound('page');
          return accepted;
        },
        reserveMemory,
      });
    },
  );

  routes.delete(
    '/v1/templates/:id/cases/:name',
    {
      scope: 'templates:write',
      audit: 'template.case_deleted',
      summary: 'Delete a case of a template with its accepted pages',
      operationId: 'deleteTemplateCase',
      response: { status: 204 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, audit }) => {
      await audit.describe({ target: await targetOf({ account, params }) });
      await service.remove(account.id, params.id, params.name);
      return new Response(null, { status: 204 });
    },
  );

  routes.post(
    '/v1/templates/:id/check',
    {
      scope: 'templates:read',
      audit: null,
      summary: 'Check a template against the accepted pages of its cases',
      operationId: 'checkTemplate',
      idempotency: { ignored: 'a check is neither recorded nor counted' },
      description:
        'Renders every case with the options of the template and of the case, and compares the layout and then the pixels with the accepted pages. Uses no quota. The rate limit is a tenth of the plan’s, and the API key also needs the scope `generate`. A template without cases gives 400.',
      body: CheckBody,
      examples: checkExamples,
      worksOnDocument: true,
      rateDivisor: RATE_DIVISOR,
      response: { schema: CheckResponse, example: checkExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, body, isTest, signal, requireScope }) => {
      requireScope('generate');
      const { html_content: html, version, cases: names } = body;
      if (html !== undefined && version !== undefined)
        throw invalid('version', 'cannot be combined with html_content: send one of them');
      return presentCheck(
        await service.check({ account, templateId: params.id, html, version, names, isTest, signal }),
      );
    },
  );

  routes.post(
    '/v1/templates/:id/cases/:name/accept',
    {
      scope: 'templates:write',
      audit: 'template.case_accepted',
      summary: 'Accept the pages of a case',
      operationId: 'acceptTemplateCase',
      idempotency: 'kept',
      description:
        'Renders the case, and stores its pages as the accepted ones. A document that cannot be made gives 400. The rate limit is a tenth of the plan’s, and the API key also needs the scope `generate`. If the template requires checks, the draft becomes the current version as soon as all its cases pass.',
      body: AcceptBody,
      examples: acceptExamples,
      worksOnDocument: true,
      rateDivisor: RATE_DIVISOR,
      response: caseResponse,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, params, body: { version }, isTest, audit, requireScope }) => {
      requireScope('generate');
      await audit.describe({ target: await targetOf({ account, params }) });
      const request = { account, templateId: params.id, name: params.name, version, isTest };
      const { case: accepted, promoted } = await service.accept(request);
      return { ...(await presentCase(accepted, { files, isTest })), promoted };
    },
  );
}

/** @throws {AppError} VALIDATION_ERROR that names the field */
function readCase(
  name: string,
  { data, options = null, accepted }: Static<typeof CaseBody>,
  templates: Pick<TemplatesService, 'checkOptions'>,
): CaseInput {
  if (data === undefined) throw invalid('data', 'is required: an object, which may be empty');
  const { sampleDataJson, optionsJson } = readOptionsAndSample(
    { options, sample_data: data },
    templates,
    'data',
  );
  return { name, dataJson: sampleDataJson ?? '{}', optionsJson: optionsJson ?? null, accepted };
}
