import { pageQuery, presentPage } from '../../../src/plugin.ts';
import type { TemplateTrash, TrashedTemplate } from '../../templates/contract.ts';
import { toIso } from '../present.ts';
import { MAX_BODY_BYTES } from '../schemas.ts';
import type { Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

function presentTrashed({ id, template, createdAt, expiresAt }: TrashedTemplate) {
  const { name, category, version } = template;
  return { id, name, category, version, deleted_at: toIso(createdAt), expires_at: toIso(expiresAt) };
}

/** Mounts the routes of the trash. Programs delete templates for good with `DELETE /v1/templates/:id`. */
export function mountTrashRoutes({ routes, scheme }: Studio, trash: TemplateTrash): void {
  routes.get(
    '/studio/api/trash/templates',
    {
      scope: 'session:viewer',
      ...hidden,
      confirmation: { unneeded: 'reads names of templates' },
      summary: 'List the templates in the trash, the last deleted one first',
      query: pageQuery(50),
    },
    async ({ request, query }) => {
      const { account } = scheme.signedIn(request);
      return presentPage(query, (page) => trash.list(account.id, page), presentTrashed);
    },
  );

  routes.post(
    '/studio/api/trash/templates/:id',
    {
      scope: 'session:editor',
      audit: 'template.trashed',
      ...hidden,
      confirmation: { unneeded: 'deletes a template, as the API does; can be undone' },
      summary: 'Move a template to the trash',
    },
    async ({ request, params: { id } }) =>
      presentTrashed(await trash.discard(scheme.signedIn(request).account.id, id)),
  );

  routes.post(
    '/studio/api/trash/templates/:id/restore',
    {
      scope: 'session:editor',
      audit: 'template.restored',
      freesSpace: false,
      ...hidden,
      confirmation: { unneeded: 'gives an account its own template back' },
      summary: 'Restore a template with its versions',
    },
    async ({ request, params: { id } }) => {
      const restored = await trash.restore(scheme.signedIn(request).account.id, id);
      return { id: restored.id, name: restored.name };
    },
  );

  routes.delete(
    '/studio/api/trash/templates/:id',
    {
      scope: 'session:editor',
      audit: 'template.deleted',
      ...hidden,
      confirmation: { unneeded: 'deletes a template, as the API does' },
      summary: 'Delete a template in the trash for good',
    },
    async ({ request, params: { id } }) => {
      await trash.remove(scheme.signedIn(request).account.id, id);
      return new Response(null, { status: 204 });
    },
  );
}
