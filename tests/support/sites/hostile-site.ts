/** Size of one field in a response head. The guard and Chromium refuse heads above 256 KiB. */
const HEADER_BYTES = 240_000;

/**
 * A hostile site on loopback: response heads of the largest allowed size, and a WebSocket that sends and
 * accepts everything.
 */
export interface HostileSite extends Disposable {
  /** `127.0.0.1:port` of the server with the large heads, for `EGRESS_ALLOW`. */
  heads: string;
  /** `127.0.0.1:port` of the WebSocket server, which answers plain requests with an empty body. */
  sockets: string;
}

/** Starts the site on two free ports. */
export function startHostileSite(): HostileSite {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\nX-Large: ${'z'.repeat(HEADER_BYTES)}\r\n\r\n`;
  const heads = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.end(head);
      },
    },
  });
  const message = 'z'.repeat(10_000_000);
  const sockets = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 1_000_000_000,
    async fetch(request, server) {
      if (server.upgrade(request)) return undefined;
      await request.arrayBuffer();
      return new Response('', { headers: { 'access-control-allow-origin': '*' } });
    },
    websocket: {
      maxPayloadLength: 1_000_000_000,
      backpressureLimit: 1_000_000_000,
      open(socket) {
        socket.send(message);
      },
      message(socket) {
        socket.send(message);
      },
    },
  });
  sockets.unref();
  return {
    heads: `127.0.0.1:${heads.port}`,
    sockets: `127.0.0.1:${sockets.port}`,
    [Symbol.dispose]() {
      heads.stop(true);
      void sockets.stop(true);
    },
  };
}
