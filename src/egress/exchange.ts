import { Socket } from 'node:net';
import { connectUpstream, reasonPhrases, type GuardResponse, type UpstreamContext } from './upstream.ts';
import { maxRequestHeadBytes, parseRequestHead, type ProxyRequest } from './request-head.ts';
import { egressHeader, endOfHead, maxResponseHeadBytes, rewriteResponseHead } from './response-head.ts';
import { closeGently, pump, readHead } from './transfer.ts';

/** The context that all exchanges of a guard share. */
export interface ExchangeContext extends UpstreamContext {
  headTimeoutMs: number;
  idleTimeoutMs: number;
}

/**
 * Serves one client connection: one request, one destination, one upstream connection. Connections are never
 * reused, so no later byte can reach an address other than the checked one, and request smuggling has no
 * second server to target.
 *
 * When the client stops sending, the exchange ends: HTTP clients, TLS and WebSocket never half-close, and a
 * silent upstream would otherwise keep its connection until the idle timeout.
 */
export async function serveExchange(client: Socket, context: ExchangeContext): Promise<void> {
  // An absolute time limit, so that a client cannot extend it by sending its head byte by byte.
  const headTimer = setTimeout(() => client.destroy(), context.headTimeoutMs);
  const head = await readHead(client, {
    maxBytes: maxRequestHeadBytes,
    endOfHead: (bytes) => {
      const end = bytes.indexOf('\r\n\r\n');
      return end === -1 ? -1 : end + 4;
    },
  });
  clearTimeout(headTimer);
  if (head === 'ended') return void client.destroy();
  if (head === 'too-large')
    return answer(client, { status: 431, failure: 'malformed', reason: 'request head too large' });

  const request = parseRequestHead(head.toString('latin1'));
  switch (request.kind) {
    case 'malformed':
      return answer(client, { status: 400, failure: 'malformed', reason: request.reason });
    case 'refused':
      context.decided({ host: '', port: 0, outcome: 'refused', reason: request.reason });
      return answer(client, { status: 403, failure: 'refused', reason: request.reason });
    case 'ping':
      return closeGently(client, Buffer.from('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'));
    case 'tunnel':
    case 'forward': {
      const upstream = await connectUpstream(client, request.destination, context);
      if (upstream === undefined) return void client.destroy();
      if (!(upstream instanceof Socket)) return answer(client, upstream);
      join(client, upstream, context.idleTimeoutMs);
      return request.kind === 'tunnel' ? tunnel(client, upstream) : await forward(client, upstream, request);
    }
  }
}

/**
 * Links the lifetimes of the two sockets: when one ends, the other closes after its pending bytes have been
 * sent.
 */
function join(client: Socket, upstream: Socket, idleTimeoutMs: number): void {
  client.setNoDelay(true);
  upstream.setNoDelay(true);
  // Bytes in both directions pass the upstream socket, so its idle timeout covers both.
  upstream.setTimeout(idleTimeoutMs, () => upstream.destroy(new Error('idle')));
  client.once('end', () => upstream.destroySoon());
  client.once('close', () => upstream.destroySoon());
  if (client.destroyed || client.readableEnded) upstream.destroy();
}

function tunnel(client: Socket, upstream: Socket): void {
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  endClientWith(client, upstream);
  pump(client, upstream);
  pump(upstream, client);
}

async function forward(
  client: Socket,
  upstream: Socket,
  { head, contentLength }: Extract<ProxyRequest, { kind: 'forward' }>,
): Promise<void> {
  upstream.write(head);
  pump(client, upstream, contentLength);
  for (;;) {
    const received = await readHead(upstream, { maxBytes: maxResponseHeadBytes, endOfHead });
    const response =
      typeof received === 'string' ? undefined : rewriteResponseHead(received.toString('latin1'));
    if (response === undefined) {
      upstream.destroy();
      return answer(client, {
        status: 502,
        failure: 'unanswered',
        reason: 'the host did not answer with an HTTP response',
      });
    }
    client.write(response.bytes);
    if (!response.interim) break;
  }
  endClientWith(client, upstream);
  pump(upstream, client);
}

/**
 * Closes the client connection as the origin closed its own: with an orderly end, or with a reset after a
 * truncated body.
 */
function endClientWith(client: Socket, upstream: Socket): void {
  upstream.once('end', () => closeGently(client));
  upstream.once('error', () => {
    // An error after the end concerns request bytes that the origin did not read; the response is complete.
    if (!client.writableEnded) client.resetAndDestroy();
  });
  upstream.once('close', () => closeGently(client));
  if (upstream.destroyed || upstream.readableEnded) closeGently(client);
}

function answer(client: Socket, { status, failure, reason }: GuardResponse): void {
  const body = `egress ${failure}: ${reason}\n`;
  const head = [
    `HTTP/1.1 ${status} ${reasonPhrases[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `${egressHeader}: ${failure}`,
    'Connection: close',
  ].join('\r\n');
  closeGently(client, Buffer.from(`${head}\r\n\r\n${body}`));
}
