import {
  AppError,
  invalid,
  type FileValue,
  jsonOrMultipart,
  notFound,
  type Routes,
  type Static,
  presentPage,
} from '../../src/plugin.ts';
import type { TemplateFormat, TemplateInput, TemplatesService, TemplateWithHtml } from './contract.ts';
import { MAX_BODY_BYTES } from './office/limits.ts';
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
  CreatedResponse,
  DeletedResponse,
  ListQuery,
  TemplateResponse,
  TemplateList,
  UpdateBody,
  VersionList,
  VersionListQuery,
  VersionQuery,
} from './schemas.ts';
import { readOptionsAndSample } from './options-and-sample.ts';
import { readTranslations } from './translations.ts';

/** Maps the routes of docs/internals/spec.md section 4.2 to the service. */
export function mountRoutes(routes: Routes, templates: TemplatesService): void {
  const templateResponse = { schema: TemplateResponse, example: templateExample };
  const receive = async (file: FileValue, format: TemplateFormat | undefined) => {
    if (format === undefined) return templates.receiveFile(file);
    const found = await templates.checkFile(file);
    if (found !== format) throw invalid('format', `is ${format}, but the file is ${found}`);
    return templates.receiveFile(file);
  };
  const present = async (template: TemplateWithHtml) =>
    presentTemplate(template, await templates.linkFile(template));

  routes.post(
    '/v1/templates',
    {
      scope: 'templates:write',
      audit: 'template.created',
      summary: 'Store a template',
      operationId: 'createTemplate',
      idempotency: 'kept',
      description:
        'The content is `html_content`, or the `file` of a multipart request. A template that is not valid Handlebars gives 400 with line and column, or with the place in the file. Read the template to get `updated_at` and `category`.',
      body: jsonOrMultipart(CreateBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      examples: createExamples,
      response: { status: 201, schema: CreatedResponse, example: createdExample },
    },
    async ({
      account,
      body: {
        name,
        html_content: given,
        file,
        format,
        schema = {},
        category = 'other',
        partial,
        alias,
        tags,
        require_checks: requireChecks,
        translations,
        default_locale,
        ...usage
      },
    }) => {
      const html = given ?? undefined;
      requireOneContent({ html, file, partial });
      if (file === undefined && format !== undefined && format !== 'html')
        throw invalid('format', `is ${format}, which needs a file`);
      const optionsAndSample = readOptionsAndSample(usage, templates);
      const words = await readTranslations({ translations, default_locale }, templates);
      return presentCreated(
        await templates.create(account.id, {
          name,
          html: html ?? '',
          ...(file !== undefined && { file: await receive(file, format) }),
          schema,
          category,
          ...(partial !== undefined && { isPartial: partial }),
          ...(alias !== undefined && { alias }),
          ...(tags !== undefined && { tags }),
          ...(requireChecks !== undefined && { requireChecks }),
          ...optionsAndSample,
          ...words,
        }),
      );
    },
  );

  routes.get(
    '/v1/templates',
    {
      scope: 'templates:read',
      summary: 'List templates, newest first, without their HTML',
      operationId: 'listTemplates',
      query: ListQuery,
      response: { schema: TemplateList, example: { data: [listedExample], has_more: false } },
    },
    async ({ account, query }) =>
      presentPage(query, (page) => templates.list(account.id, { ...query, ...page }), presentListed),
  );

  routes.get(
    '/v1/templates/:id',
    {
      scope: 'templates:read',
      summary: 'Read a template, or another version of it',
      operationId: 'getTemplate',
      description:
        '`version` selects `html_content`, `schema`, `options`, `sample_data` and `translations` of that version; all other fields are always current. Versions stored by release 0.1.0 have only `html_content`, so these fields are the current ones.',
      query: VersionQuery,
      response: templateResponse,
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query }) => present(await templates.get(account.id, params.id, query.version)),
  );

  routes.put(
    '/v1/templates/:id',
    {
      scope: 'templates:write',
      audit: 'template.updated',
      summary: 'Change a template, or store a draft',
      operationId: 'updateTemplate',
      description:
        'Absent fields keep their value. `version` increases when `html_content` or `file` changes. With `draft: true` the response is the draft, and absent fields are those of the earlier draft or else of the current version. With `expected_etag`, the status is 409 if another change came first. With `require_checks`, a change of `html_content`, `schema` or `options` whose check does not pass is stored as a draft, and `check` says so; the status is 409 if the template changes during the check. A test key can store a draft of a public template, and gets 403 for other changes.',
      body: jsonOrMultipart(UpdateBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      examples: updateExamples,
      response: templateResponse,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, isTest, params, body: { draft = false, expected_etag: expectedEtag, ...fields } }) => {
      const change: Partial<TemplateInput> = {
        ...readChange(fields, templates),
        ...(await readTranslations(fields, templates)),
      };
      const allowed = draft ? DRAFT_FIELDS : FIELDS;
      const [refused] = Object.keys(fields).filter(
        (name) => name !== 'format' && !(allowed as readonly string[]).includes(name),
      );
      if (refused) throw invalid(refused, 'is not part of a draft: change it without draft');
      if (Object.keys(fields).length === 0)
        throw new AppError(
          'VALIDATION_ERROR',
          `one of ${allowed.slice(0, -1).join(', ')} and ${allowed.at(-1)} is required`,
        );
      if (isTest && !draft) await requirePrivate(templates, account.id, params.id);
      if (fields.file !== undefined) {
        requireOneContent({ html: fields.html_content ?? undefined, file: fields.file });
        // A template of another account, or of none, gets no file.
        await templates.get(account.id, params.id);
        change.file = await receive(fields.file, fields.format);
      } else if (fields.format !== undefined) {
        const { format = 'html' } = await templates.get(account.id, params.id);
        if (fields.format !== format)
          throw invalid('format', `is ${fields.format}, but the template is ${format}`);
      }
      const changing = draft
        ? templates.saveDraft(account.id, params.id, change, expectedEtag)
        : templates.update(account.id, params.id, change, expectedEtag);
      return present(await changing);
    },
  );

  routes.get(
    '/v1/templates/:id/versions',
    {
      scope: 'templates:read',
      operationId: 'listTemplateVersions',
      summary: 'List the versions of a template, newest first',
      query: VersionListQuery,
      response: { schema: VersionList, example: { data: [versionExample], has_more: false } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query }) =>
      presentPage(query, (page) => templates.listVersions(account.id, params.id, page), presentVersion),
  );

  routes.post(
    '/v1/templates/:id/versions/:version/restore',
    {
      scope: 'templates:write',
      audit: 'template.version_restored',
      operationId: 'restoreTemplateVersion',
      idempotency: 'kept',
      summary: 'Restore a version of a template',
      description:
        'Creates a new current version with the `html_content`, `schema`, `options`, `sample_data` and `translations` of the given one. The other fields do not change. A test key gets 403 for a public template.',
      // A required check makes documents.
      worksOnDocument: true,
      response: { ...templateResponse, status: 201 },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, isTest, params: { id, version } }) => {
      if (isTest) await requirePrivate(templates, account.id, id);
      return present(await templates.restore(account.id, id, readVersion(version)));
    },
  );

  routes.post(
    '/v1/templates/:id/versions/:version/promote',
    {
      scope: 'templates:write',
      operationId: 'promoteTemplateDraft',
      audit: 'template.draft_promoted',
      idempotency: 'kept',
      summary: 'Make the draft of a template current',
      description:
        'Promoting the current version changes nothing. The status is 409 for a version that is neither the draft nor current, if the current version has changed since the draft was stored, and if the template requires checks that do not pass. A test key gets 403 for a public template.',
      worksOnDocument: true,
      response: templateResponse,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, isTest, params: { id, version } }) => {
      if (isTest) await requirePrivate(templates, account.id, id);
      return present(await templates.promote(account.id, id, readVersion(version)));
    },
  );

  routes.delete(
    '/v1/templates/:id/versions/:version',
    {
      scope: 'templates:write',
      operationId: 'deleteTemplateDraft',
      audit: 'template.draft_deleted',
      summary: 'Delete the draft of a template',
      description: 'The status is 409 for a version that is not the draft: other versions are kept.',
      response: { status: 204 },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, params: { id, version } }) => {
      await templates.discardDraft(account.id, id, readVersion(version));
      return new Response(null, { status: 204 });
    },
  );

  routes.delete(
    '/v1/templates/:id',
    {
      scope: 'templates:write',
      audit: 'template.deleted',
      summary: 'Delete a template with all its versions',
      operationId: 'deleteTemplate',
      description: 'Generations made from it are kept.',
      response: { schema: DeletedResponse, example: { id: templateExample.id, deleted: true } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      const id = await templates.resolveAlias(account.id, params.id);
      await templates.remove(account.id, id);
      return { id, deleted: true };
    },
  );
}

const DRAFT_FIELDS = [
  'html_content',
  'file',
  'schema',
  'options',
  'sample_data',
  'translations',
  'default_locale',
] as const;
const FIELDS = ['name', 'category', 'partial', 'alias', 'tags', 'require_checks', ...DRAFT_FIELDS] as const;

function readChange(
  { html_content: html, options, sample_data, partial, ...fields }: Static<typeof UpdateBody>,
  templates: TemplatesService,
): Partial<TemplateInput> {
  return {
    ...fieldsOf(fields),
    ...(html !== undefined && html !== null && { html }),
    ...(partial !== undefined && { isPartial: partial }),
    ...readOptionsAndSample({ options, sample_data }, templates),
  };
}

/** Returns the fields that a change of a template passes on as they are. */
function fieldsOf({
  name,
  category,
  schema,
  alias,
  tags,
  require_checks: requireChecks,
}: Static<typeof UpdateBody>): Partial<TemplateInput> {
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category }),
    ...(schema !== undefined && { schema }),
    ...(alias !== undefined && { alias }),
    ...(tags !== undefined && { tags }),
    ...(requireChecks !== undefined && { requireChecks }),
  };
}

/** Requires HTML or a file, not both. @throws {AppError} VALIDATION_ERROR */
function requireOneContent({
  html,
  file,
  partial = false,
}: {
  html: string | undefined;
  file: unknown;
  partial?: boolean | undefined;
}): void {
  if (html === undefined && file === undefined)
    throw invalid('html_content', 'is required, or file: a docx, xlsx or pptx file');
  if (html !== undefined && file !== undefined)
    throw invalid('file', 'cannot be combined with html_content: send one of them');
  if (file !== undefined && partial) throw invalid('partial', 'is only for html_content');
}

/**
 * Checks that a request with a test key changes nothing that other accounts see.
 * @throws {AppError} FORBIDDEN for a public template; NOT_FOUND
 */
async function requirePrivate(templates: TemplatesService, accountId: string, id: string): Promise<void> {
  const { isPublic } = await templates.get(accountId, id);
  if (isPublic)
    throw new AppError('FORBIDDEN', 'a test key does not change public templates; use a live key');
}

/**
 * Reads a version number in a path.
 * @throws {AppError} NOT_FOUND for other text, as for a version that does not exist.
 */
function readVersion(text: string): number {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw notFound('version');
  return Number(text);
}
