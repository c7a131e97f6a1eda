import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevState } from './page/state.ts';
import { UsageError } from '../failures.ts';
import { messageOf } from '../../errors.ts';

/** The answers to the requests of the page of `platen dev`. */
export interface PageSource {
  readonly state: DevState;
  select(position: number): boolean;
  image(version: number, page: number, width: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  pdf(): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** The HTTP server of `platen dev`. */
export interface PageServer {
  url: string;
  /** Sends the state to all open pages. */
  publish(state: DevState): void;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const NAMES = ['127.0.0.1', 'localhost'];
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const IMAGE = /^\/pages\/(\d{1,9})\/(\d{1,6})\.png$/;
const MIN_WIDTH = 100;
const MAX_WIDTH = 2_400;

/**
 * Serves the page of `platen dev` on the loopback address. Other sites cannot read it, also not under a name
 * that they make resolve to this address.
 * @throws {UsageError} if the port is taken
 */
export function servePage(source: PageSource, { port }: { port: number | undefined }): PageServer {
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const message = (state: DevState) => encoder.encode(`data: ${JSON.stringify(state)}\n\n`);
  const files = readPageFiles();

  const answer = async (request: Request, url: URL): Promise<Response> => {
    const { pathname, searchParams } = url;
    if (request.method === 'POST' && pathname === '/select')
      return new Response(null, { status: source.select(Number(await request.text())) ? 204 : 400 });
    if (request.method !== 'GET') return new Response(null, { status: 405 });
    const file = files.get(pathname);
    if (file) return new Response(file.body, { headers: { 'content-type': file.type } });
    if (pathname === '/events') return events();
    if (pathname === '/document.pdf') return bytes(await source.pdf(), 'application/pdf');
    const [, version, page] = IMAGE.exec(pathname) ?? [];
    if (page === undefined) return new Response(null, { status: 404 });
    const wanted = Math.round(Number(searchParams.get('width'))) || MIN_WIDTH;
    const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wanted));
    return bytes(await source.image(Number(version), Number(page), width), 'image/png');
  };
  const events = () => {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        listeners.add(controller);
        controller.enqueue(message(source.state));
      },
      cancel() {
        if (own) listeners.delete(own);
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };

  const server = listenOn(port, async (request) => {
    const url = new URL(request.url);
    if (!isOwn(request, server.port))
      return new Response('This page is for this machine only.\n', { status: 403 });
    const response = await answer(request, url).catch(() => new Response(null, { status: 502 }));
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
    return response;
  });
  return {
    url: `http://${HOST}:${server.port}`,
    publish(state) {
      for (const listener of listeners) {
        try {
          listener.enqueue(message(state));
        } catch {
          // The browser closed the connection.
          listeners.delete(listener);
        }
      }
    },
    stop: () => server.stop(true),
  };
}

/** Tells whether a request names this machine and comes from no other site. */
function isOwn(request: Request, port: number | undefined): boolean {
  const hosts = NAMES.map((name) => `${name}:${port}`);
  const origin = request.headers.get('origin');
  return (
    hosts.includes(request.headers.get('host') ?? '') &&
    (origin === null || hosts.some((host) => origin === `http://${host}`))
  );
}

function bytes(content: Uint8Array<ArrayBuffer> | undefined, type: string): Response {
  if (content === undefined) return new Response(null, { status: 404 });
  return new Response(content, { headers: { 'content-type': type } });
}

/** The port without `--port`; another one if it is taken. */
const USUAL_PORT = 4100;

function listenOn(port: number | undefined, fetch: (request: Request) => Promise<Response>) {
  const listen = (number: number) => Bun.serve({ hostname: HOST, port: number, idleTimeout: 0, fetch });
  try {
    return listen(port ?? USUAL_PORT);
  } catch (error) {
    if (port === undefined) return listen(0);
    throw new UsageError(
      `--port: cannot listen on ${HOST}:${port} (${messageOf(error)}); choose another port`,
    );
  }
}

/** Reads the files of the page. Its script is TypeScript, which is compiled here. */
function readPageFiles(): ReadonlyMap<string, { body: string; type: string }> {
  const read = (name: string) => readFileSync(join(import.meta.dir, 'page', name), 'utf8');
  const script = new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(read('page.ts'));
  return new Map([
    ['/', { body: read('index.html'), type: 'text/html; charset=utf-8' }],
    ['/page.css', { body: read('page.css'), type: 'text/css; charset=utf-8' }],
    ['/page.js', { body: script, type: 'text/javascript; charset=utf-8' }],
  ]);
}
