const DRIP_MS = 500;

/** A site on loopback that sends a response head at once and then one byte at a time, forever. */
export interface SlowSite extends Disposable {
  /** `http://127.0.0.1:port`. Without the scheme, an entry of `EGRESS_ALLOW`. */
  origin: string;
}

/** Starts the site on a free port. */
export function startSlowSite(): SlowSite {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const byte = new Uint8Array([32]);
  const drip = setInterval(() => {
    for (const stream of open) stream.enqueue(byte);
  }, DRIP_MS);
  drip.unref();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch({ url }) {
      let controllerOfRequest: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controllerOfRequest = controller;
          open.add(controller);
        },
        cancel() {
          if (controllerOfRequest) open.delete(controllerOfRequest);
        },
      });
      const type = url.endsWith('.css') ? 'text/css' : 'image/png';
      return new Response(body, { headers: { 'content-type': type } });
    },
  });
  server.unref();
  return {
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.dispose]() {
      clearInterval(drip);
      void server.stop(true);
    },
  };
}
