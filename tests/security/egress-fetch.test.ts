import { afterEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { EgressError } from '../../src/egress/guard.ts';
import { rejection } from '../support/rejection.ts';
import {
  closeAll,
  closers,
  connectHead,
  openSocket,
  startGuard,
  startOrigin,
  startServer,
} from './egress-harness.ts';
import { until } from '../support/until.ts';

afterEach(closeAll);

describe('fetch through the guard', () => {
  test('sends method, headers and body to an allowed origin', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) =>
        Response.json({ method: request.method, a: request.headers.get('x-a'), body: await request.text() }),
    });
    closers.push(() => server.stop(true));
    const { guard, decisions } = await startGuard({
      allow: [`127.0.0.1:${server.port}`],
      dial: ({ address, port }) => connect(port, address),
    });
    const chunked = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const text of ['a', 'b', 'c']) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    for (const [body, text] of [
      ['x'.repeat(300_000), 'x'.repeat(300_000)],
      [chunked, 'abc'],
    ] as const) {
      const response = await guard.fetch(`http://127.0.0.1:${server.port}/hook`, {
        method: 'POST',
        headers: { 'x-a': 'b' },
        body,
      });
      expect(await response.json()).toEqual({ method: 'POST', a: 'b', body: text });
    }
    expect(decisions[0]).toEqual({
      host: '127.0.0.1',
      port: server.port ?? 0,
      outcome: 'allowed',
      reason: 'on the allow list',
    });
  });

  test('throws EgressError for a refused URL, over http and https', async () => {
    const { guard, dialed } = await startGuard({ answers: [['10.0.0.1']] });
    for (const url of [
      'http://127.0.0.1:1/',
      'https://127.0.0.1:1/',
      'http://internal.example/',
      'https://internal.example/',
    ]) {
      const error: unknown = await guard.fetch(url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(EgressError);
      expect(error).toMatchObject({ failure: 'refused' });
    }
    expect(dialed).toEqual([]);
    expect(guard.counters.refused).toBe(4);
  });

  test("does not mistake an origin's 403 for its own refusal", async () => {
    const origin = await startOrigin(
      'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nX-Platen-Egress: refused\r\n\r\n',
    );
    const { guard } = await startGuard({ originPort: origin.port });
    const response = await guard.fetch('http://example.com/');
    expect(response.status).toBe(403);
  });

  test('ignores the proxy variables of the environment', async () => {
    const direct = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('direct') });
    closers.push(() => direct.stop(true));
    const { guard } = await startGuard();
    const names = ['NO_PROXY', 'no_proxy', 'HTTP_PROXY', 'http_proxy'] as const;
    const saved = names.map((name) => process.env[name]);
    try {
      for (const name of names) {
        process.env[name] = name.toLowerCase() === 'no_proxy' ? '*' : `http://127.0.0.1:${direct.port}`;
        const fetched = guard.fetch(`http://127.0.0.1:${direct.port}/`);
        expect(await rejection(fetched)).toBeInstanceOf(EgressError);
      }
    } finally {
      for (const [index, name] of names.entries()) {
        if (saved[index] === undefined) delete process.env[name];
        else process.env[name] = saved[index];
      }
    }
  });

  test.each(['file:///etc/hostname', 'data:text/plain,x', 'blob:x', 's3://bucket/key', 'ftp://example.com/'])(
    'rejects %s',
    async (url) => {
      const { guard } = await startGuard();
      expect(await rejection(guard.fetch(url))).toBeInstanceOf(TypeError);
    },
  );

  test('an abort closes the connection', async () => {
    const silent = await startServer(() => undefined);
    const { guard } = await startGuard({ originPort: silent.port });
    const abort = new AbortController();
    const fetched = guard.fetch('http://silent.example/', { signal: abort.signal });
    await until(() => silent.state.connections === 1);
    abort.abort();
    expect(await rejection(fetched)).toMatchObject({ name: 'AbortError' });
    await until(() => guard.counters.openConnections === 0);
  });

  test('dials the checked address and keeps the host name for TLS', async () => {
    const origin = await startServer((socket) => void socket.once('data', () => socket.end()));
    const { guard, dialed } = await startGuard({ originPort: origin.port });
    expect(await rejection(guard.fetch('https://secure.example/'))).toBeInstanceOf(Error);
    expect(origin.state.received).toContain('secure.example');
    expect(dialed[0]).toBe('93.184.216.34:443');
  });

  test('close ends open tunnels, and ping then fails', async () => {
    const silent = await startServer(() => undefined);
    const { guard } = await startGuard({ originPort: silent.port });
    await guard.ping();
    const socket = openSocket(guard).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(connectHead('silent.example:443'));
    await until(() => silent.state.connections === 1);
    await guard.close();
    await closed;
    expect(await rejection(guard.ping())).toBeInstanceOf(Error);
  });
});
