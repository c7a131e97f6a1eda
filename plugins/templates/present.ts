import type { Static } from '../../src/plugin.ts';
import type { Template, TemplateWithHtml, VersionCheck, VersionInfo } from './contract.ts';
import type { CreatedResponse, TemplateResponse, TemplateList, VersionList } from './schemas.ts';
import { etagOf } from './etag.ts';
import { presentOptionsAndSample } from './options-and-sample.ts';
import { presentTranslations } from './translations.ts';

/** Presents a template in a list, without its HTML. */
export function presentListed(template: Template): Static<typeof TemplateList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    format: template.format ?? 'html',
    schema: template.schema,
    version: template.version,
    current_version: template.version,
    draft_version: template.draft?.version ?? null,
    is_public: template.isPublic,
    partial: template.isPartial,
    alias: template.alias ?? null,
    tags: [...(template.tags ?? [])],
    require_checks: template.requireChecks ?? false,
    created_at: toIso(template.createdAt),
    updated_at: toIso(template.updatedAt),
  };
}

/** Presents a new template. Section 4.2 of docs/internals/spec.md fixes the fields of the response. */
export function presentCreated(template: TemplateWithHtml): Static<typeof CreatedResponse> {
  const { partial, alias, tags, require_checks, ...listed } = presentListed(template);
  const {
    category: _,
    updated_at: __,
    current_version: ___,
    draft_version: ____,
    format,
    ...created
  } = listed;
  return {
    ...created,
    ...(partial && { partial }),
    ...(alias !== null && { alias }),
    ...(tags.length > 0 && { tags }),
    ...(require_checks && { require_checks }),
    ...(format !== 'html' && { format }),
    html_content: htmlOf(template),
  };
}

export function presentVersion({
  version,
  createdAt,
  isCurrent,
  isDraft,
}: VersionInfo): Static<typeof VersionList>['data'][number] {
  return { version, created_at: toIso(createdAt), current: isCurrent, draft: isDraft };
}

/** Presents a template. `fileUrl` is a link to its file, if it has one. */
export function presentTemplate(
  template: TemplateWithHtml,
  fileUrl: string | null = null,
): Static<typeof TemplateResponse> {
  return {
    ...presentListed(template),
    current_version: template.currentVersion,
    etag: etagOf(template),
    html_content: htmlOf(template),
    ...(template.file && { file_url: fileUrl, file_size: template.file.sizeBytes }),
    ...presentOptionsAndSample(template),
    ...presentTranslations(template),
    ...(template.check && { check: presentCheck(template.check) }),
  };
}

function presentCheck({
  passed,
  cases,
}: VersionCheck): NonNullable<Static<typeof TemplateResponse>['check']> {
  return {
    passed,
    stored_as: passed ? 'version' : 'draft',
    cases: cases.map(({ name, status }) => ({ name, status })),
  };
}

/** Returns the HTML of a template; `null` for an office file. */
function htmlOf({ html, file }: TemplateWithHtml): string | null {
  return file ? null : html;
}

/** Presents a time (epoch milliseconds). */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}
