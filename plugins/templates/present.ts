import type { Static } from '../../src/plugin.ts';
import type { Template, TemplateWithHtml, VersionInfo } from './contract.ts';
import type { CreatedAnswer, TemplateAnswer, TemplateList, VersionList } from './schemas.ts';
import { presentOptionsAndSample } from './options-and-sample.ts';

/** Presents a template in a list, without its HTML. */
export function presentListed(template: Template): Static<typeof TemplateList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    schema: template.schema,
    version: template.version,
    is_public: template.isPublic,
    partial: template.isPartial === true,
    created_at: toIso(template.createdAt),
    updated_at: toIso(template.updatedAt),
  };
}

/** Presents a new template. Section 4.2 of docs/spec.md fixes the fields of the response. */
export function presentCreated(template: TemplateWithHtml): Static<typeof CreatedAnswer> {
  const { category: _category, updated_at: _updatedAt, partial, ...created } = presentListed(template);
  return { ...created, ...(partial && { partial }), html_content: template.html };
}

/** Presents a version in a list. */
export function presentVersion({
  version,
  createdAt,
  isCurrent,
}: VersionInfo): Static<typeof VersionList>['data'][number] {
  const time = createdAt === null ? null : toIso(createdAt);
  return { version, created_at: time, current: isCurrent };
}

/** Presents one template. */
export function presentTemplate(template: TemplateWithHtml): Static<typeof TemplateAnswer> {
  return { ...presentListed(template), html_content: template.html, ...presentOptionsAndSample(template) };
}

/** Presents a time (epoch milliseconds). */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}
