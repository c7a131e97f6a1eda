import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import {
  parseAllowList,
  resolveWithSystem,
  type AllowList,
  type EgressDecision,
  type Resolve,
} from './destination.ts';
import { dialTcp, type Dial } from './dial.ts';
import { RecentDecisions } from './recent-decisions.ts';
import { serveExchange, type ExchangeContext } from './exchange.ts';
import { fetchThrough, type EgressFetchInit } from './guarded-fetch.ts';

export type { EgressDecision, Resolve } from './destination.ts';
export { EgressError, type EgressFetchInit } from './guarded-fetch.ts';
export type { EgressFailure } from './response-head.ts';

/** The part of a pino logger that the guard uses. */
interface EgressLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Settings of an egress guard. Durations are milliseconds. */
export interface EgressGuardOptions {
  /**
   * Exact `host:port` entries that are allowed regardless of their address (the operator's `EGRESS_ALLOW`),
   * or a list that may change.
   */
  allow: readonly string[] | AllowList;
  log?: EgressLog;
  /** Default: the operating system's resolver. Called once per request. */
  resolve?: Resolve;
  /** The limit for resolving and connecting together; default 10 s. */
  connectTimeoutMs?: number;
  /** The limit from the connection to the end of the request head; default 10 s. */
  headTimeoutMs?: number;
  /** The limit without a byte in either direction; default 60 s. */
  idleTimeoutMs?: number;
  /** Called with every decision, before the connection is opened. */
  onDecision?: (decision: EgressDecision) => void;
}

/** The egress guard: a forward proxy on loopback through which all outgoing requests pass. */
export interface EgressGuard {
  /** `http://127.0.0.1:port`, for Chromium's `--proxy-server`. */
  readonly url: string;
  /**
   * The number of decisions by outcome, and of connections that are open now. `openConnections` counts both
   * sides of every exchange.
   */
  readonly counters: Readonly<{
    allowed: number;
    refused: number;
    unresolvable: number;
    openConnections: number;
  }>;
  /**
   * Fetches an http or https URL through the guard. Redirects are not followed unless `redirect` says so;
   * then each hop passes the guard again. The proxy variables of the environment have no effect.
   * @throws {EgressError} when the guard refuses the request or cannot connect
   * @throws {TypeError} for any other scheme
   */
  fetch(input: string | URL | Request, init?: EgressFetchInit): Promise<Response>;
  /**
   * Returns the latest decision about the host and port of a URL; `undefined` when there is none or it is too
   * old.
   */
  decisionOf(url: string): EgressDecision | undefined;
  /** Resolves when the guard accepts connections and answers. */
  ping(): Promise<void>;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Starts the egress guard on a free loopback port. It accepts plain http in absolute-form and CONNECT tunnels
 * for https, ws and wss. Every request, including each hop of a redirect, is checked separately: public
 * unicast addresses are allowed on any port, and so are exact `allow` entries.
 *
 * The proxy has no credentials because Chromium accepts none by flag. A local process that uses the port
 * gains nothing: it can already connect from this machine to public addresses and `allow` entries.
 *
 * @param dial replaces the connection in tests, so that their traffic stays on the machine; it receives
 * checked addresses
 */
export async function createEgressGuard(
  options: EgressGuardOptions,
  dial: Dial = dialTcp,
): Promise<EgressGuard> {
  const counters = { allowed: 0, refused: 0, unresolvable: 0, openConnections: 0 };
  const recent = new RecentDecisions();
  const sockets = new Set<Socket>();
  const context: ExchangeContext = {
    allow: 'has' in options.allow ? options.allow : parseAllowList(options.allow),
    resolve: options.resolve ?? resolveWithSystem,
    dial,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    headTimeoutMs: options.headTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    attempted: (decision) => recent.update(decision),
    decided(decision) {
      counters[decision.outcome] += 1;
      recent.add(decision);
      if (decision.outcome === 'refused') options.log?.info({ ...decision }, 'egress refused');
      options.onDecision?.(decision);
    },
    track(socket) {
      sockets.add(socket);
      counters.openConnections += 1;
      // An error on a socket without a listener would end the process; `close` handles the error.
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
  server.on('error', (error) => options.log?.warn({ err: error }, 'egress guard cannot accept connections'));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the egress guard did not get a port');
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
    if (!answer.startsWith('HTTP/1.1 204')) throw new Error('the egress guard gave an unexpected answer');
  } finally {
    socket.destroy();
  }
}
