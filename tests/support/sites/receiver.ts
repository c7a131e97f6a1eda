import { Webhook } from 'standardwebhooks';
import { allowedPort } from './allowed-ports.ts';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The exact text. */
  body: string;
  at: number;
}

/** Responds to a request. `count` is the number of requests to the same path, including this one. */
export type Respond = (request: Received, count: number) => Response | Promise<Response>;

/** A webhook receiver on a loopback port. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server;

  constructor(respond: Respond = () => new Response(null, { status: 204 })) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: allowedPort(),
      idleTimeout: 60,
      fetch: async (request) => {
        const url = new URL(request.url);
        const headers = Object.fromEntries(request.headers.entries());
        const entry = {
          method: request.method,
          path: url.pathname + url.search,
          headers,
          body: await request.text(),
          at: Date.now(),
        };
        this.received.push(entry);
        return respond(entry, this.at(entry.path).length);
      },
    });
  }

  /** `host:port`, for `EGRESS_ALLOW`. */
  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** Lists the requests to a path. */
  at(path: string): Received[] {
    return this.received.filter((entry) => entry.path === path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** Verifies a request with the library that receivers use. @throws {Error} if the signature is wrong. */
export function verify(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers);
}
