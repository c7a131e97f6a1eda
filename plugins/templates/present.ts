import type { Static } from '../../src/plugin.ts';
import type { Template, WholeTemplate } from './contract.ts';
import type { CreatedAnswer, TemplateAnswer, TemplateList } from './schemas.ts';

/** A template in a list: without its HTML. */
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

/** A template that was just made: neither `updated_at` nor `category`, which reading it gives. */
export function presentCreated(template: WholeTemplate): Static<typeof CreatedAnswer> {
  const { category: _category, updated_at: _updatedAt, ...created } = presentTemplate(template);
  return created;
}

/** One template. */
export function presentTemplate(template: WholeTemplate): Static<typeof TemplateAnswer> {
  return { ...presentListed(template), html_content: template.html };
}
