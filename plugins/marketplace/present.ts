import type { Static } from '../../src/plugin.ts';
import type { Template, TemplateWithHtml } from '../templates/contract.ts';
import { presentOptionsAndSample } from '../templates/exports.ts';
import type { CloneAnswer, PublicAnswer, PublicList, VisibilityAnswer } from './schemas.ts';

/** Presents a public template in a list. */
export function presentListed(template: Template): Static<typeof PublicList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    version: template.version,
    created_at: new Date(template.createdAt).toISOString(),
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** Presents a public template with its HTML. */
export function presentPublic(template: TemplateWithHtml): Static<typeof PublicAnswer> {
  const { html, schema } = template;
  return { ...presentListed(template), html_content: html, schema, ...presentOptionsAndSample(template) };
}

/** Presents the copy of a template to its owner. */
export function presentClone({ id, name, version, createdAt }: Template): Static<typeof CloneAnswer> {
  return { id, name, version, created_at: new Date(createdAt).toISOString() };
}

/** Presents the visibility of a template. */
export function presentVisibility({ id, name, isPublic }: Template): Static<typeof VisibilityAnswer> {
  return { id, name, is_public: isPublic };
}
