import { AppError, invalid, Type } from '../../../src/plugin.ts';
import { CATEGORIES } from '../../documents/exports.ts';
import type { TemplateWithHtml } from '../../templates/contract.ts';
import { defineTool, type Caller, type Tool } from '../tool.ts';
import { renameFields } from '../rename-fields.ts';
import { TemplateId } from './fields.ts';
import { presentTemplate, type TemplateParts } from './read-templates.ts';

/** Creates the schema of the arguments. */
function inputOf({ contentFields, MAX_NAME_CHARACTERS }: TemplateParts['values']) {
  const { html, ...usageFields } = contentFields;
  return Type.Object(
    {
      id: Type.Optional({
        ...TemplateId,
        description: 'The template to store a draft of; absent for a new one.',
      }),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_NAME_CHARACTERS,
          description: 'The name of a new template.',
        }),
      ),
      category: Type.Optional(
        Type.Union(
          CATEGORIES.map((each) => Type.Literal(each)),
          { description: 'The kind of document of a new template; other when absent.' },
        ),
      ),
      html: Type.Optional(html),
      ...usageFields,
    },
    { additionalProperties: false },
  );
}

/** Creates the tool that stores templates. */
export function saveTemplate({ templates, values }: TemplateParts): Tool {
  return defineTool({
    name: 'save_template',
    title: 'Save a template',
    description:
      'Without id: stores a new private template from name and html. With id: stores a draft of that template, which replaces an earlier draft; absent fields keep their value. Documents use the current version until a person promotes the draft, so this tool never changes finished templates and never publishes. Render a draft with render_document and template_version "draft".',
    scope: 'templates:write',
    input: inputOf(values),
    listed: {
      options: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The options of render_document that the template is designed for.',
        },
      ),
    },
    changes: true,
    worksOnDocument: true,
    async run({ id, name, category, html: text, schema: variables, ...usage }, caller) {
      const { account } = caller;
      const content = {
        ...(text !== undefined && { html: text }),
        ...(variables !== undefined && { schema: variables }),
        ...values.readOptionsAndSample(usage, templates),
      };
      if (id === undefined) {
        if (name === undefined) throw invalid('name', 'is required for a new template');
        if (text === undefined) throw invalid('html', 'is required for a new template');
        const input = { name, schema: {}, category: category ?? ('other' as const), ...content, html: text };
        const made = await audited(caller, { action: 'template.created' }, () =>
          templates.create(account.id, input),
        );
        return { value: { ...presentTemplate(made), saved: 'template' } };
      }
      const refused = name !== undefined ? 'name' : category !== undefined ? 'category' : undefined;
      if (refused !== undefined)
        throw invalid(refused, 'is only for a new template: leave it out, or leave out id');
      if (Object.keys(content).length === 0)
        throw invalid('html', 'is required for a draft, or schema, options or sample_data');
      const draft = await audited(caller, { action: 'template.updated', target: id }, () =>
        templates.saveDraft(account.id, id, content),
      );
      return {
        value: {
          ...presentTemplate(draft),
          current_version: draft.currentVersion,
          saved: 'draft',
        },
      };
    },
  });
}

/**
 * Stores a template and the entry of the audit log. A refused change leaves no entry; after a failure of the
 * service, the outcome of the entry is unknown.
 */
async function audited(
  { audit }: Caller,
  entry: { action: 'template.created' | 'template.updated'; target?: string },
  store: () => Promise<TemplateWithHtml>,
): Promise<TemplateWithHtml> {
  await audit.describe(entry);
  const stored = await store().catch(async (error: unknown) => {
    if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') await audit.describe();
    else audit.uncertain();
    throw renameFields(error, (text) => text.replace(/^html_content\b/, 'html'));
  });
  audit.made();
  await audit.describe({ ...entry, target: stored.id });
  return stored;
}
