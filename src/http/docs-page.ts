import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyElysia } from 'elysia';
import { DOCS_POLICY } from './security-headers.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Platen</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body><div id="swagger-ui"></div></body>
</html>
`;

const START = `SwaggerUIBundle({ dom_id: '#swagger-ui', url: '/openapi.json' });\n`;

/** Mounts `/docs`, Swagger UI over `/openapi.json`. All of it comes from here, not from a network that the machine may not have. */
export function mountDocs(app: AnyElysia): void {
  const hidden = { detail: { hide: true } };
  const typed = (body: string, type: string) => () =>
    new Response(body, {
      headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': DOCS_POLICY },
    });
  app.get('/docs', typed(PAGE, 'text/html'), hidden);
  app.get('/docs/start.js', typed(START, 'text/javascript'), hidden);
  const assets = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    app.get(`/docs/${name}`, () => new Response(Bun.file(join(assets, name))), hidden);
  }
}
