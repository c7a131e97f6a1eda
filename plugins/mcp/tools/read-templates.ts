import { Type } from '../../../src/plugin.ts';
import { versionChoice } from '../../documents/exports.ts';
import type { Template, TemplatesService } from '../../templates/contract.ts';
import { defineTool, type Tool } from '../tool.ts';
import { listFields, TemplateId } from './fields.ts';

/** The service of the plugin `templates`, and the values that it exports. */
export interface TemplateParts {
  templates: TemplatesService;
  values: Pick<
    typeof import('../../templates/exports.ts'),
    | 'CategoryText'
    | 'contentFields'
    | 'MAX_NAME_CHARACTERS'
    | 'presentOptionsAndSample'
    | 'readOptionsAndSample'
    | 'SearchText'
  >;
}

/** Presents a template without its content. */
export function presentTemplate(template: Template): object {
  const { id, name, category, format = 'html', alias = null, tags = [], version, draft } = template;
  return {
    id,
    name,
    category,
    format,
    alias,
    tags,
    version,
    draft_version: draft?.version ?? null,
    is_public: template.isPublic,
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** Creates the tool that lists templates. */
export function listTemplates({ templates, values }: TemplateParts): Tool {
  return defineTool({
    name: 'list_templates',
    title: 'List templates',
    description:
      'Lists the stored templates of the account, newest first, with their ids and names; get_template reads one. Use it before making a new template.',
    scope: 'templates:read',
    input: Type.Object(
      {
        search: Type.Optional(values.SearchText),
        category: Type.Optional(values.CategoryText),
        ...Type.Partial(Type.Object(listFields)).properties,
      },
      { additionalProperties: false },
    ),
    changes: false,
    worksOnDocument: false,
    async run({ search, category, limit = 20, offset = 0 }, { account }) {
      const { records, hasMore } = await templates.list(account.id, { search, category, limit, offset });
      return { value: { templates: records.map(presentTemplate), has_more: hasMore } };
    },
  });
}

/** Creates the tool that reads a template. */
export function getTemplate({ templates, values }: TemplateParts): Tool {
  return defineTool({
    name: 'get_template',
    title: 'Read a template',
    description:
      'Reads a stored template: its HTML with Handlebars tags, its variables, the options it is designed for, and sample data. Both can be sent to render_document as they are. version selects an earlier version by number, or "draft".',
    scope: 'templates:read',
    input: Type.Object(
      {
        id: TemplateId,
        version: Type.Optional(
          versionChoice('The version to read, or `draft`; the current one when absent.'),
        ),
      },
      { additionalProperties: false },
    ),
    changes: false,
    worksOnDocument: false,
    async run({ id, version }, { account }) {
      const template = await templates.get(account.id, id, version);
      return {
        value: {
          ...presentTemplate(template),
          current_version: template.currentVersion,
          variables: template.schema,
          html: template.file ? null : template.html,
          ...(template.file && { file_url: await templates.linkFile(template) }),
          ...values.presentOptionsAndSample(template),
        },
      };
    },
  });
}
