import { afterEach, describe, expect, test } from 'bun:test';
import {
  closeAll,
  sendBytes,
  getHead,
  okResponse,
  openSocket,
  startGuard,
  startOrigin,
} from './egress-harness.ts';
import { until } from '../support/until.ts';

afterEach(closeAll);

describe('request heads', () => {
  const line = 'GET http://example.com/ HTTP/1.1\r\n';
  const bad: [name: string, bytes: string][] = [
    [
      'Content-Length with Transfer-Encoding',
      `${line}Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two Content-Length', `${line}Host: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a list in Content-Length', `${line}Host: a\r\nContent-Length: 5, 5\r\n\r\nhello`],
    ['a Content-Length with a sign', `${line}Host: a\r\nContent-Length: +5\r\n\r\nhello`],
    ['a negative Content-Length', `${line}Host: a\r\nContent-Length: -5\r\n\r\nhello`],
    ['a hexadecimal Content-Length', `${line}Host: a\r\nContent-Length: 0x5\r\n\r\nhello`],
    ['a Content-Length of 40 digits', `${line}Host: a\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\n`],
    ['Transfer-Encoding: gzip, chunked', `${line}Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`],
    ['Transfer-Encoding: identity', `${line}Host: a\r\nTransfer-Encoding: identity\r\n\r\n`],
    [
      'two Transfer-Encoding fields',
      `${line}Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n`,
    ],
    [
      'a Transfer-Encoding with a control character',
      `${line}Host: a\r\nTransfer-Encoding: \x0bchunked\r\n\r\n`,
    ],
    [
      'Transfer-Encoding in HTTP/1.0',
      'POST http://example.com/ HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['line folding', `${line}Host: a\r\nX-A: b\r\n c\r\n\r\n`],
    ['a folded Transfer-Encoding', `${line}Host: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n`],
    ['a space before the colon', `${line}Host: a\r\nTransfer-Encoding : chunked\r\n\r\n`],
    ['a space before the first field', `${line} Host: a\r\n\r\n`],
    ['a field without a colon', `${line}Host: a\r\nnonsense\r\n\r\n`],
    ['an empty field name', `${line}Host: a\r\n: b\r\n\r\n`],
    ['a bare line feed', `${line}Host: a\nX: b\r\n\r\n`],
    ['a bare carriage return', `${line}Host: a\rX: b\r\n\r\n`],
    ['a NUL', `${line}Host: a\r\nX: \0\r\n\r\n`],
    ['no Host', `${line}\r\n`],
    ['two Hosts', `${line}Host: a\r\nHost: b\r\n\r\n`],
    [
      'Connection: content-length',
      `${line}Host: a\r\nContent-Length: 5\r\nConnection: content-length\r\n\r\nhello`,
    ],
    [
      'Connection: Transfer-Encoding',
      `${line}Host: a\r\nTransfer-Encoding: chunked\r\nConnection: Transfer-Encoding\r\n\r\n`,
    ],
    ['a CONNECT with a body', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'],
    ['a fragment', 'GET http://example.com/#x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a backslash in the authority', 'GET http://example.com\\@127.0.0.1/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET http://example.com/a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a tab after the method', 'GET\thttp://example.com/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an empty line first', `\r\n${line}Host: a\r\n\r\n`],
    ['bytes outside ASCII in the target', 'GET http://ex\xe4mple.com/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['HTTP/0.9', 'GET http://example.com/\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a WebSocket in absolute-form', `${line}Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['random bytes', `${'\x00\xff\x80'.repeat(100)}\r\n\r\n`],
  ];
  test.each(bad)('refuses %s', async (_name, bytes) => {
    const { guard, dialed } = await startGuard();
    expect(await sendBytes(guard, bytes)).toMatch(
      /^HTTP\/1\.1 40[03] [\s\S]*x-platen-egress: (malformed|refused)/,
    );
    expect(dialed).toEqual([]);
  });

  test('stops reading a head of 1 MB', async () => {
    const { guard, dialed } = await startGuard();
    const answer = await sendBytes(guard, `${line}X: ${'a'.repeat(1_000_000)}`);
    expect(answer === '' || answer.startsWith('HTTP/1.1 431')).toBe(true);
    await until(() => guard.counters.openConnections === 0);
    expect(dialed).toEqual([]);
  });

  test('closes the connection if the head is not complete by the deadline', async () => {
    const { guard, dialed } = await startGuard({ headTimeoutMs: 100 });
    const socket = openSocket(guard);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const timer = setInterval(() => void socket.write('G'), 5);
    await closed;
    clearInterval(timer);
    await until(() => guard.counters.openConnections === 0);
    expect(dialed).toEqual([]);
  });

  test('reads a head that arrives in pieces', async () => {
    const origin = await startOrigin(okResponse);
    const { guard } = await startGuard({ originPort: origin.port });
    const socket = openSocket(guard);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    for (const piece of getHead('http://example.com/').match(/[\s\S]{1,7}/g) ?? []) {
      socket.write(piece);
      await Bun.sleep(1);
    }
    await until(() => answer.endsWith('hello'));
    expect(answer).toStartWith('HTTP/1.1 200');
  });

  test('removes hop-by-hop fields and adds none that reveal a proxy', async () => {
    const origin = await startOrigin(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\n' +
        'X-Hop: 1\r\nX-Kept: 2\r\nProxy-Authenticate: Basic\r\nx-platen-egress: refused\r\n\r\nok',
    );
    const { guard } = await startGuard({ originPort: origin.port });
    const answer = await sendBytes(
      guard,
      'GET http://example.com HTTP/1.1\r\nHost: other.example\r\nConnection: keep-alive, X-Gone\r\nX-Gone: 1\r\nX-Kept: 2\r\n' +
        'Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eDp5\r\nTE: trailers\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\n\r\n',
    );
    expect(origin.state.received).toBe(
      'GET / HTTP/1.1\r\nHost: example.com\r\nX-Kept: 2\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toBe('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Kept: 2\r\nConnection: close\r\n\r\nok');
  });

  test('trims whitespace around a value and keeps it inside', async () => {
    const origin = await startOrigin(okResponse);
    const { guard } = await startGuard({ originPort: origin.port });
    const inner = `a${'\t'.repeat(5_000)}b${' '.repeat(5_000)}c`;
    await sendBytes(guard, `${line}Host: a\r\nX-A: \t ${inner} \t\r\nX-B:\r\nX-C: \t \r\n\r\n`);
    expect(origin.state.received).toContain(`\r\nX-A: ${inner}\r\nX-B: \r\nX-C: \r\n`);
  });

  test('does not forward a second request on the same connection', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed } = await startGuard({ originPort: origin.port });
    const head = 'POST http://example.com/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfirst';
    const answer = await sendBytes(guard, head + getHead('http://127.0.0.1/second'));
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(origin.state.received).toEndWith('\r\n\r\nfirst');
    expect(dialed).toHaveLength(1);
  });

  test('forwards interim responses but not a protocol switch', async () => {
    const origin = await startOrigin(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${okResponse}`);
    const { guard } = await startGuard({ originPort: origin.port });
    expect(await sendBytes(guard, getHead('http://example.com/'))).toMatch(
      /^HTTP\/1\.1 103 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*hello$/,
    );
    for (const answer of [
      'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      'SSH-2.0-x\r\n\r\n',
      'x'.repeat(300_000),
      '',
    ]) {
      const odd = await startOrigin(answer);
      const other = await startGuard({ originPort: odd.port });
      expect(await sendBytes(other.guard, getHead('http://example.com/'))).toStartWith('HTTP/1.1 502');
    }
  });
});
