import { withTimeout } from '@platen/runtime';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { FONT_CONFIG } from '../../plugins/render/browser/font-config.ts';
import { launchBrowser } from '../../plugins/render/browser/launch.ts';
import { createEgressGuard } from '../../src/egress/guard.ts';
import type { Vector, VectorTarget } from './page-vectors/vector.ts';

/**
 * How a document gets into the page: with `setContent`, or served by an origin that the guard allows (a
 * secure context).
 */
export type Mode = 'set' | 'served';

/** The result of one vector in one mode. */
export interface Outcome {
  /** First bytes of every connection that reached the honeypot. */
  contacts: string[];
  /** Whether the guard refused the honeypot's port, which proves that the page tried. */
  refused: boolean;
}

/** A listener that no page may reach. */
export interface Honeypot {
  port: number;
  contacts: string[];
  close(): void;
}

/**
 * Listens on one port over TCP (both loopback addresses) and UDP, responds to every connection and records
 * its first bytes.
 */
export async function startHoneypot(): Promise<Honeypot> {
  const contacts: string[] = [];
  const servers: Server[] = [];
  const listen = async (host: string, port: number): Promise<number> => {
    const server = createServer((socket) => {
      contacts.push(`TCP ${host}`);
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        contacts.push(`TCP ${chunk.toString('latin1', 0, 80)}`);
        socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n');
      });
    });
    server.listen(port, host);
    await once(server, 'listening');
    servers.push(server);
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('no port');
    return bound.port;
  };
  // All of 127.0.0.0/8: a page may use any of these addresses.
  const port = await listen('0.0.0.0', 0);
  await listen('::1', port).catch(() => 'a machine without IPv6');
  const udp = await Bun.udpSocket({
    hostname: '0.0.0.0',
    port,
    socket: { data: (_socket, data) => void contacts.push(`UDP ${data.toString('latin1').slice(0, 20)}`) },
  });
  return {
    port,
    contacts,
    close() {
      udp.close();
      for (const server of servers) server.close();
    },
  };
}

/** Selects the vectors, modes and browser flags of a run. */
export interface RunOptions {
  executablePath: string;
  vectors: readonly Vector[];
  modes: readonly Mode[];
  flags: (proxyUrl: string) => string[];
  /** Adds the honeypots to the allow list: the control that shows that the page would reach them. */
  allowHoneypots?: boolean;
}

/** Time that a page has to act after it loads. It has half as long after printing. */
const actMs = 300;
const concurrency = 6;

/**
 * Runs vectors in one browser, a few at a time. Each vector has its own context, and its own honeypot in each
 * mode. Returns the outcomes by {@link outcomeKey}.
 */
export async function runVectors(options: RunOptions): Promise<Map<string, Outcome>> {
  const entries = await Promise.all(
    options.vectors.map(async (vector) =>
      Promise.all(
        modesOf(vector, options.modes).map(async (mode) => ({
          vector,
          mode,
          honeypot: await startHoneypot(),
        })),
      ),
    ),
  );
  const ports = entries.flat().map(({ honeypot }) => honeypot.port);
  const pages: ServedPages = new Map();
  const origin = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => servePage(pages, request) });
  const refusedPorts = new Set<number>();
  const guard = await createEgressGuard({
    allow: [origin.port, ...(options.allowHoneypots ? ports : [])].map((port) => `127.0.0.1:${port}`),
    resolve: async (host) => (host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1'] : []),
    onDecision: ({ port, outcome }) => void (outcome === 'allowed' || refusedPorts.add(port)),
  });
  const launched = await launchBrowser({
    executablePath: options.executablePath,
    // Sends reports at once instead of after a minute.
    flags: [...options.flags(guard.url), '--short-reporting-delay'],
    niceness: 0,
    fontConfig: FONT_CONFIG,
  });

  const queue = [...entries];
  const runQueue = async (): Promise<void> => {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      const context = await launched.browser.newContext({ acceptDownloads: false });
      const visits = entry.map(({ vector, mode, honeypot }) => {
        const base = `http://127.0.0.1:${origin.port}/${honeypot.port}`;
        const at = `127.0.0.1:${honeypot.port}`;
        const target: VectorTarget = { port: honeypot.port, at, url: `http://${at}`, base };
        registerPage(pages, { vector, target });
        return visit(context, { vector, target, mode });
      });
      await Promise.all(visits);
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runQueue));
  await launched.close();
  // Real time: the browser may still send something while it closes.
  await Bun.sleep(actMs);
  await guard.close();
  await origin.stop(true);
  const outcomes = new Map<string, Outcome>();
  for (const { vector, mode, honeypot } of entries.flat()) {
    honeypot.close();
    const { contacts, port } = honeypot;
    outcomes.set(outcomeKey(vector, mode), { contacts, refused: refusedPorts.has(port) });
  }
  return outcomes;
}

/** Returns the modes that apply to a vector: `setContent` has no response headers, content type or files. */
export function modesOf(vector: Vector, modes: readonly Mode[]): Mode[] {
  const needsServer = vector.headers !== undefined || vector.type !== undefined || vector.files !== undefined;
  return modes.filter((mode) => mode === 'served' || !needsServer);
}

export function outcomeKey(vector: Vector, mode: Mode): string {
  return `${vector.name}, ${mode === 'set' ? 'set into a blank page' : 'served by an allowed origin'}`;
}

async function visit(
  context: BrowserContext,
  { vector, target, mode }: { vector: Vector; target: VectorTarget; mode: Mode },
): Promise<void> {
  const page = await context.newPage();
  // A page may navigate away, crash its renderer or never load. None of these is a result.
  const ignore = () => undefined;
  if (mode === 'set') await page.setContent(vector.html(target), { timeout: 3_000 }).catch(ignore);
  else await page.goto(`${target.base}/`, { timeout: 3_000 }).catch(ignore);
  // Real time: the page tries to reach the network.
  await Bun.sleep(actMs);
  const printed = page.pdf(vector.print?.(target)).catch(ignore);
  await withTimeout(printed, { limitMs: 3_000, onTimeout: ignore });
  // Real time: printing may make the page try again.
  await Bun.sleep(actMs / 2);
}

/** Pages by path. */
export type ServedPages = Map<string, { body: string; headers: Record<string, string> }>;

/** Adds the page of a vector and its files. */
export function registerPage(
  pages: ServedPages,
  { vector, target }: { vector: Vector; target: VectorTarget },
): void {
  pages.set(`/${target.port}/`, {
    body: vector.html(target),
    headers: { 'content-type': vector.type ?? 'text/html', ...vector.headers?.(target) },
  });
  for (const [name, { type, body }] of Object.entries(vector.files?.(target) ?? {})) {
    const headers = type === 'redirect' ? { location: body } : { 'content-type': type };
    pages.set(`/${target.port}/${name}`, { body, headers });
  }
}

/** Responds with a page. */
export function servePage(pages: ServedPages, request: Request): Response {
  const page = pages.get(new URL(request.url).pathname);
  if (page === undefined) return new Response('gone', { status: 404 });
  return new Response(page.body, { status: 'location' in page.headers ? 302 : 200, headers: page.headers });
}
