import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { parseAllowList, resolveWithSystem, type EgressDecision, type Resolve } from './destination.ts';
import { dialTcp, type Dial } from './dial.ts';
import { RecentDecisions } from './recent-decisions.ts';
import { serveExchange, type ExchangeContext } from './exchange.ts';
import { fetchThrough, type EgressFetchInit } from './guarded-fetch.ts';

export type { EgressDecision, Resolve } from './destination.ts';
export { EgressError, type EgressFetchInit } from './guarded-fetch.ts';
export type { EgressFailure } from './response-head.ts';

/** The part of a pino logger that the guard uses. */
export interface EgressLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Settings of an egress guard. Durations are milliseconds. */
export interface EgressGuardOptions {
  /** Exact `host:port` entries that may be dialed whatever their address (the operator's `EGRESS_ALLOW`). */
  allow: readonly string[];
  log?: EgressLog;
  /** Default: the operating system's resolver. Called once a request. */
  resolve?: Resolve;
  /** Resolving and connecting together; default 10 s. */
  connectTimeoutMs?: number;
  /** From the connection to the end of the request head; default 10 s. */
  headTimeoutMs?: number;
  /** Longest silence in both directions; default 60 s. */
  idleTimeoutMs?: number;
  /** Told of every decision, before the connection is dialed. */
  onDecision?: (decision: EgressDecision) => void;
}

/** The one door out of the service: a forward proxy on loopback. */
export interface EgressGuard {
  /** `http://127.0.0.1:port`, for Chromium's `--proxy-server`. */
  readonly url: string;
  /** Decisions so far, for metrics. `openConnections` counts both sides of every exchange. */
  readonly counters: Readonly<{
    allowed: number;
    refused: number;
    unresolvable: number;
    openConnections: number;
  }>;
  /**
   * Fetches an http or https URL through the guard; redirects are returned, not followed, unless `redirect` says otherwise, and then each hop
   * passes the guard again. The environment's proxy variables have no effect.
   * @throws {EgressError} when the guard refused or could not connect
   * @throws {TypeError} for any other scheme
   */
  fetch(input: string | URL | Request, init?: EgressFetchInit): Promise<Response>;
  /** Tells what was decided last about the host and port of a URL; `undefined` when that was long ago, or never. */
  decisionOf(url: string): EgressDecision | undefined;
  /** Resolves when the guard accepts and answers. */
  ping(): Promise<void>;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/**
 * Starts the egress guard on a free loopback port: plain http in absolute-form, and CONNECT tunnels for https, ws and wss. Every request,
 * a redirect's next hop included, is decided for itself: public unicast addresses pass, on any port, and so do exact `allow` entries.
 *
 * There is no proxy credential, because Chromium takes none by flag. A local process that uses this port gains only what it
 * can already do without it: open connections from this machine to public addresses, and to `allow` entries.
 *
 * @param dial is for tests, so that none of their traffic leaves the machine. It gets addresses after the check and cannot change a decision.
 */
export async function createEgressGuard(
  options: EgressGuardOptions,
  dial: Dial = dialTcp,
): Promise<EgressGuard> {
  const counters = { allowed: 0, refused: 0, unresolvable: 0, openConnections: 0 };
  const recent = new RecentDecisions();
  const sockets = new Set<Socket>();
  const context: ExchangeContext = {
    allow: parseAllowList(options.allow),
    resolve: options.resolve ?? resolveWithSystem,
    dial,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    headTimeoutMs: options.headTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    decided(decision) {
      counters[decision.outcome] += 1;
      recent.add(decision);
      if (decision.outcome === 'refused') options.log?.info({ ...decision }, 'egress refused');
      options.onDecision?.(decision);
    },
    track(socket) {
      sockets.add(socket);
      counters.openConnections += 1;
      // A socket without an error listener ends the process; what an error means is settled at `close`.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        counters.openConnections -= 1;
      });
    },
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    context.track(client);
    serveExchange(client, context).catch((error: unknown) => {
      options.log?.warn({ err: error }, 'egress exchange failed');
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('error', (error) => options.log?.warn({ err: error }, 'egress guard cannot accept'));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the egress guard has no port');
  const { port } = bound;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    counters,
    fetch: (input, init) => fetchThrough(url, input, init),
    decisionOf: (target) => recent.of(target),
    ping: () => ping(port),
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(5_000, () => socket.destroy(new Error('the egress guard does not answer')));
  try {
    socket.write('OPTIONS * HTTP/1.1\r\nHost: egress\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    if (!answer.startsWith('HTTP/1.1 204')) throw new Error('the egress guard answers wrongly');
  } finally {
    socket.destroy();
  }
}
