import type { Static } from '../../src/plugin.ts';
import type { Template, TemplateWithHtml } from '../templates/contract.ts';
import { presentOptionsAndSample } from '../templates/exports.ts';
import type { CloneResponse, PublicResponse, PublicList, VisibilityResponse } from './schemas.ts';
import type { Clone, Visibility } from './service.ts';

export function presentListed(template: Template): Static<typeof PublicList>['data'][number] {
  return {
    id: template.id,
    name: template.name,
    ...(template.format && { format: template.format }),
    version: template.version,
    created_at: new Date(template.createdAt).toISOString(),
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** Presents a public template. `fileUrl` is a link to its file, if it has one. */
export function presentPublic(
  template: TemplateWithHtml,
  fileUrl: string | null,
): Static<typeof PublicResponse> {
  const { html, file, schema } = template;
  return {
    ...presentListed(template),
    html_content: file ? null : html,
    ...(file && { file_url: fileUrl }),
    schema,
    ...presentOptionsAndSample(template),
  };
}

/** Presents the copy of a template to its owner. */
export function presentClone({ template, assets }: Clone): Static<typeof CloneResponse> {
  const { id, name, version, createdAt } = template;
  const answer = { id, name, version, created_at: new Date(createdAt).toISOString() };
  return assets.length > 0 ? { ...answer, assets: [...assets] } : answer;
}

/** Presents the visibility of a template, and the assets that were published with it. */
export function presentVisibility({ template, assets }: Visibility): Static<typeof VisibilityResponse> {
  const { id, name, isPublic } = template;
  const { names = [], missing = [], dynamic = [] } = assets ?? {};
  const warnings = [
    ...dynamic.map((path) => ({
      code: 'ASSET_DYNAMIC' as const,
      message: `the name in ${path} is known only when a document is made, so its assets were not published`,
      path,
    })),
    ...missing.map((path) => ({
      code: 'ASSET_MISSING' as const,
      message: `the account has no asset named ${JSON.stringify(path)}`,
      path,
    })),
  ];
  return {
    id,
    name,
    is_public: isPublic,
    ...(names.length > 0 && { assets: names }),
    ...(warnings.length > 0 && { warnings }),
  };
}
