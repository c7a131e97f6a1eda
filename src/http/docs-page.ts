import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyElysia } from 'elysia';
import { AppError } from '../errors.ts';
import { createGuides } from './guides.ts';
import type { Tag } from './openapi.ts';
import type { RouteDefinition } from './routes.ts';
import { DOCS_POLICY } from './security-headers.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Platen API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/platen.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body><div id="swagger-ui"></div></body>
</html>
`;

const START = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
`;

const STYLE = `/* Changes to swagger-ui.css. */
body { margin: 0; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .scheme-container { box-shadow: none; padding: 0 0 16px; }
.swagger-ui .opblock-tag { font-size: 20px; }
`;

/**
 * Mounts `/docs`, which is Swagger UI for `/openapi.json`, the pages of the documentation below it, and their
 * index for language models, `/llms.txt`. The service contains all files that they load, because the reader
 * may have no internet access. `/` redirects to `/docs`, unless a plugin serves it.
 */
export function mountDocs(
  app: AnyElysia,
  {
    tags,
    routes,
    originOf,
  }: {
    tags: readonly Tag[];
    routes: readonly Pick<RouteDefinition, 'method' | 'path'>[];
    /** Returns the origin of the service for a caller, or an empty text. */
    originOf: (request: Request) => string;
  },
): void {
  const hidden = { detail: { hide: true } };
  const typed = (body: string, type: string) => () =>
    new Response(body, {
      headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': DOCS_POLICY },
    });
  if (!routes.some(({ method, path }) => method === 'get' && path === '/'))
    app.get(
      '/',
      ({ set }) => {
        set.status = 302;
        set.headers['location'] = '/docs';
        return '';
      },
      hidden,
    );
  app.get('/docs', typed(PAGE, 'text/html'), hidden);
  app.get('/docs/start.js', typed(START, 'text/javascript'), hidden);
  app.get('/docs/platen.css', typed(STYLE, 'text/css'), hidden);
  const assets = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    app.get(`/docs/${name}`, () => new Response(Bun.file(join(assets, name))), hidden);
  }
  const guides = createGuides(tags);
  app.get(
    '/docs/*',
    async ({ path, request }) => {
      const page = path.endsWith('/') ? path.slice(0, -1) : path;
      const response = await guides.open(page, request.headers.get('accept'));
      if (!response) throw new AppError('NOT_FOUND', 'there is no such page; /docs/guides lists the guides');
      response.headers.set('content-security-policy', DOCS_POLICY);
      response.headers.set('vary', 'Accept');
      return response;
    },
    hidden,
  );
  app.get('/llms.txt', ({ request }) => guides.openIndex(originOf(request)), hidden);
}
