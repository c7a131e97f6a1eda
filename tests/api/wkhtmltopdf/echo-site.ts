/** A server on loopback that shows each request as a page. */
export interface EchoSite {
  url: string;
  requests: { path: string; headers: Headers }[];
  stop(): void;
}

const LOGIN = `Basic ${Buffer.from('ann:pw').toString('base64')}`;

/** Starts the server. `/private` asks for credentials, `/status/<n>` answers with a status. */
export function serveEcho(): EchoSite {
  const requests: EchoSite['requests'] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push({ path: pathname, headers: request.headers });
      const type = { 'Content-Type': 'text/html; charset=utf-8' };
      if (pathname === '/private' && request.headers.get('authorization') !== LOGIN)
        return new Response('<p>log in', {
          status: 401,
          headers: { ...type, 'WWW-Authenticate': 'Basic realm="x"' },
        });
      const [, status] = /^\/status\/(\d+)$/.exec(pathname) ?? [];
      if (status !== undefined)
        return new Response(`<p>${status}`, { status: Number(status), headers: type });
      if (pathname === '/broken-image') return new Response('<img src="/status/404">', { headers: type });
      const fields = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      const body = `<img src="/image.svg"><pre>${request.method} ${pathname}\n${fields}\n${await request.text()}</pre>`;
      return new Response(body, { headers: type });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => void server.stop(true) };
}
