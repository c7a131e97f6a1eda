import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Forwards connections to a local server. It can stop passing bytes, like a server that hangs. */
export class HangingProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #isHanging = false;
  #allowedBytes = Number.POSITIVE_INFINITY;

  private constructor(serverPort: number) {
    this.#server = createServer((client) => {
      const upstream = connect(serverPort, '127.0.0.1');
      client.on('data', (chunk) => this.#isHanging || upstream.write(chunk));
      upstream.on('data', (chunk) => {
        this.#allowedBytes -= chunk.length;
        if (this.#allowedBytes < 0) this.#isHanging = true;
        if (!this.#isHanging) client.write(chunk);
      });
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      }
    });
  }

  static async start(serverPort: number): Promise<HangingProxy> {
    const proxy = new HangingProxy(serverPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Hangs after the server has sent this number of further bytes. */
  hangAfter(bytes: number): void {
    this.#allowedBytes = bytes;
  }

  /** Ends all connections and forwards new ones. */
  resume(): void {
    this.#isHanging = false;
    this.#allowedBytes = Number.POSITIVE_INFINITY;
    for (const socket of this.#sockets) socket.destroy();
  }

  [Symbol.dispose](): void {
    this.resume();
    this.#server.close();
  }
}
