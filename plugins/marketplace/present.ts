import type { Static } from '../../src/plugin.ts';
import type { Template, WholeTemplate } from '../templates/contract.ts';
import type { CloneAnswer, PublicAnswer, PublicList, VisibilityAnswer } from './schemas.ts';

/** A public template in a list. */
export function presentListed(template: Template): Static<typeof PublicList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    version: template.version,
    created_at: new Date(template.createdAt).toISOString(),
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** A public template with its HTML. */
export function presentPublic(template: WholeTemplate): Static<typeof PublicAnswer> {
  return { ...presentListed(template), html_content: template.html, schema: template.schema };
}

/** A copy, as its new owner is told of it. */
export function presentClone({ id, name, version, createdAt }: Template): Static<typeof CloneAnswer> {
  return { id, name, version, created_at: new Date(createdAt).toISOString() };
}

/** Whether a template is public. */
export function presentVisibility({ id, name, isPublic }: Template): Static<typeof VisibilityAnswer> {
  return { id, name, is_public: isPublic };
}
