import { join, normalize } from 'node:path';

const MODULES = new URL('../../../node_modules/', import.meta.url).pathname;

/**
 * Serves the files of npm packages, such as `/chart.js/dist/chart.umd.js`, as a CDN does. `respond` serves
 * other paths.
 */
export function startPackageSite(respond: (path: string) => Response | Promise<Response>): string {
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const path = normalize(new URL(request.url).pathname);
      const file = Bun.file(join(MODULES, path));
      const found = (await file.exists()) ? new Response(file) : await respond(path);
      found.headers.set('access-control-allow-origin', '*');
      return found;
    },
  });
  site.unref();
  return `http://127.0.0.1:${site.port}`;
}
