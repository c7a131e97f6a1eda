import { allowedPort } from './allowed-ports.ts';

/**
 * Starts a site whose assets are missing, slow, redirected or of another type than declared. Returns its
 * origin.
 */
export function startFaultySite(): string {
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: allowedPort(),
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/slow.png') return new Promise(() => {});
      if (pathname === '/loop') return Response.redirect('/loop', 302);
      if (pathname === '/moved.css') return Response.redirect('/there.css', 302);
      if (pathname === '/there.css') return new Response('p {}', { headers: { 'content-type': 'text/css' } });
      if (pathname.startsWith('/words.ttf'))
        return new Response('words', { headers: { 'access-control-allow-origin': '*' } });
      if (pathname === '/words.png' || pathname === '/closed.ttf')
        return new Response('words', { headers: { 'content-type': 'image/png' } });
      return new Response('not here', { status: 404 });
    },
  });
  site.unref();
  return `http://127.0.0.1:${site.port}`;
}
