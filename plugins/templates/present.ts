import type { Static } from '../../src/plugin.ts';
import type { Template, TemplateWithHtml } from './contract.ts';
import type { CreatedAnswer, TemplateAnswer, TemplateList } from './schemas.ts';

/** Presents a template in a list, without its HTML. */
export function presentListed(template: Template): Static<typeof TemplateList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    schema: template.schema,
    version: template.version,
    is_public: template.isPublic,
    created_at: new Date(template.createdAt).toISOString(),
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** Presents a new template. The response has neither `updated_at` nor `category`. */
export function presentCreated(template: TemplateWithHtml): Static<typeof CreatedAnswer> {
  const { category: _category, updated_at: _updatedAt, ...created } = presentTemplate(template);
  return created;
}

/** Presents one template. */
export function presentTemplate(template: TemplateWithHtml): Static<typeof TemplateAnswer> {
  return { ...presentListed(template), html_content: template.html };
}
