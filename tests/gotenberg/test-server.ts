import { basename, join, normalize } from 'node:path';

/** The last request that the server received. */
export interface SeenRequest {
  headers: Headers;
  body: Uint8Array;
}

/**
 * The server that Gotenberg's scenarios call static and webhook server: it serves the files of their folder and
 * stores requests of webhooks.
 */
export class TestServer implements Disposable {
  readonly #server;
  /** The last request to a file or to a webhook. */
  seen: SeenRequest | undefined;
  /** The last request to the URL of a webhook or of its errors. */
  delivered: SeenRequest | undefined;
  readonly events: unknown[] = [];

  constructor(folder: string) {
    this.#server = Bun.serve({
      hostname: '0.0.0.0',
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const [, kind = '', rest = ''] = /^\/([a-z]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
        if (kind === 'webhook') return this.#receive(request, rest);
        if (kind !== 'static' && kind !== 'html') return new Response('Not Found', { status: 404 });
        this.seen = { headers: request.headers, body: new Uint8Array() };
        const file = Bun.file(join(folder, normalize(`/${rest}`)));
        if (!(await file.exists())) return new Response('Not Found', { status: 404 });
        return new Response(file, {
          headers:
            kind === 'html'
              ? { 'content-type': 'text/html; charset=UTF-8' }
              : { 'content-disposition': `attachment; filename="${basename(rest)}"` },
        });
      },
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  async #receive(request: Request, path: string): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    if (path === 'events') this.events.push(JSON.parse(new TextDecoder().decode(body)));
    else this.delivered = this.seen = { headers: request.headers, body };
    return new Response('OK');
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
