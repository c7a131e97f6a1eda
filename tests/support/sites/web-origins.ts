import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { browserThatTrusts } from './asset-site.ts';
import { listen } from './listen.ts';

/** A request that an origin received. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
}

/** A web server that records its requests. */
export interface WebOrigin {
  /** Its scheme, host and port. */
  origin: string;
  received: Received[];
}

/** Responds to a request to an origin. `origins` contains all origins by name. */
export type Responder = (
  request: IncomingMessage,
  response: ServerResponse,
  origins: Readonly<Record<OriginName, WebOrigin>>,
) => void;

/**
 * `first` and `second` have the same host and scheme; `secure` has TLS; `blocked` is refused by the egress
 * guard.
 */
export type OriginName = 'first' | 'second' | 'secure' | 'blocked';

/** The origins, and the settings with which a service reaches all of them except `blocked`. */
export interface WebOrigins extends Record<OriginName, WebOrigin> {
  env: Record<string, string>;
  /** Forgets the requests. */
  reset(): void;
}

/** Starts the origins on loopback. All of them respond with `answer`, and they end with the process. */
export async function startWebOrigins(answer: Responder): Promise<WebOrigins> {
  const pem = readFileSync(new URL('../../fixtures/tls/trusted.pem', import.meta.url), 'utf8');
  const origins = {} as Record<OriginName, WebOrigin>;
  const start = async (name: OriginName, scheme: string): Promise<void> => {
    const received: Received[] = [];
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      received.push({ path: request.url ?? '', headers: request.headers });
      answer(request, response, origins);
    };
    const server =
      scheme === 'https' ? createTlsServer({ key: pem, cert: pem }, listener) : createServer(listener);
    origins[name] = { origin: `${scheme}://${await listen(server)}`, received };
  };
  await Promise.all([
    start('first', 'http'),
    start('second', 'http'),
    start('secure', 'https'),
    start('blocked', 'http'),
  ]);
  const allowed = (['first', 'second', 'secure'] as const).map((name) => new URL(origins[name].origin).host);
  return {
    ...origins,
    env: { EGRESS_ALLOW: allowed.join(), CHROMIUM_PATH: browserThatTrusts(pem) },
    reset() {
      for (const { received } of Object.values(origins)) received.length = 0;
    },
  };
}
