import { notFound, type PublicRoutes } from '../../../src/plugin.ts';
import type { Site } from './site.ts';

const page = {
  scope: 'public',
  hidden: true,
  rateLimited: false,
  confirmation: { unneeded: 'a static file' },
  summary: 'The studio',
} as const;

/**
 * Mounts the page of the application at `/` and at the URLs of the views, and the files of the application.
 */
export function mountSiteRoutes(publicRoutes: PublicRoutes, site: Site): void {
  publicRoutes.get('/', page, () => site.page());
  publicRoutes.get('/studio', page, () => site.page());

  publicRoutes.get('/studio/assets/:name', page, async ({ request, params: { name } }) => {
    const asset = await site.asset(name, request.headers.get('accept-encoding'));
    if (!asset) throw notFound('file');
    return asset;
  });

  publicRoutes.get('/studio/*', page, ({ request }) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname.startsWith('/studio/api/')) throw notFound('route');
    return site.page();
  });
}
