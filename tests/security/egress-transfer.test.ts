import { afterEach, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { Socket } from 'node:net';
import {
  closeAll,
  connectHead,
  sendBytes,
  getHead,
  openSocket,
  startGuard,
  startServer,
  type Harness,
} from './egress-harness.ts';
import { until, untilSteady } from '../support/until.ts';

afterEach(closeAll);

describe('transfer through the guard', () => {
  test('a tunnel carries bytes both ways, including bytes sent before it is open', async () => {
    const echo = await startServer((socket) => void socket.pipe(socket));
    const { guard, dialed } = await startGuard({ originPort: echo.port });
    const socket = openSocket(guard);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.write(`${connectHead('echo.example:993')}early`);
    await until(() => answer.endsWith('\r\n\r\nearly'));
    socket.write('late');
    await until(() => answer.endsWith('earlylate'));
    expect(answer).toStartWith('HTTP/1.1 200 ');
    expect(dialed).toEqual(['93.184.216.34:993']);
    socket.end();
    await until(() => guard.counters.openConnections === 0);
  });

  test('a client that stops reading pauses the origin, and receives every byte later', async () => {
    const total = 64 * 1024 * 1024;
    const chunk = Buffer.alloc(65_536, 7);
    const sent = { bytes: 0 };
    const origin = await startServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
        const send = () => {
          while (sent.bytes < total) {
            sent.bytes += chunk.length;
            if (socket.write(chunk)) continue;
            socket.once('drain', send);
            return;
          }
          socket.end();
        };
        send();
      });
    });
    const { guard } = await startGuard({ originPort: origin.port });
    for (const head of [
      getHead('http://big.example/'),
      `${connectHead('big.example:80')}GET / HTTP/1.1\r\n\r\n`,
    ]) {
      sent.bytes = 0;
      const socket = openSocket(guard);
      let received = 0;
      // At this speed, a pause after the next poll of a condition would come after many megabytes.
      const paused = new Promise<void>((resolve) => {
        socket.on('data', (part) => {
          const before = received;
          received += part.length;
          if (before > 100_000 || received <= 100_000) return;
          socket.pause();
          resolve();
        });
      });
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.write(head);
      await paused;
      // The origin sends until the kernel's buffers are full, then pauses.
      await untilSteady(() => sent.bytes);
      expect(sent.bytes).toBeLessThan(total / 2);
      socket.resume();
      await ended;
      expect(received).toBeGreaterThan(total);
      expect(received).toBeLessThan(total + 1_000);
    }
  }, 60_000);

  test('an origin that does not read pauses the client', async () => {
    const origin = await startServer((socket) => void socket.pause());
    const { guard } = await startGuard({ originPort: origin.port });
    const socket = openSocket(guard);
    socket.write('POST http://sink.example/ HTTP/1.1\r\nHost: a\r\nContent-Length: 209715200\r\n\r\n');
    const chunk = Buffer.alloc(65_536);
    let written = 0;
    let blocked = false;
    const send = () => {
      blocked = false;
      while (written < 209_715_200 && !blocked) {
        written += chunk.length;
        blocked = !socket.write(chunk);
      }
    };
    socket.on('drain', send);
    send();
    await untilSteady(() => written);
    expect(written).toBeLessThan(100_000_000);
    socket.destroy();
    for (const stuck of origin.sockets) stuck.destroy();
    await until(() => guard.counters.openConnections === 0);
  }, 60_000);

  test('a client that disconnects frees its connection at any stage', async () => {
    const silent = await startServer(() => undefined);
    const waits: Harness[] = [
      await startGuard({ originPort: silent.port }),
      await startGuard({ dial: () => new Socket() }),
      await startGuard({ resolve: () => new Promise(() => undefined) }),
    ];
    for (const { guard } of waits) {
      for (const head of [
        getHead('http://silent.example/'),
        connectHead('silent.example:443'),
        'GET http://half',
        '',
      ]) {
        for (const leave of ['destroy', 'end', 'resetAndDestroy'] as const) {
          const socket = openSocket(guard);
          await once(socket, 'connect');
          socket.write(head);
          await Bun.sleep(20);
          socket[leave]();
          await until(() => guard.counters.openConnections === 0);
        }
      }
    }
    await until(() => [...silent.sockets].every((socket) => socket.destroyed));
    expect(waits.map(({ guard }) => guard.counters.openConnections)).toEqual([0, 0, 0]);
  });

  test('a connection that is idle on both sides is closed', async () => {
    const silent = await startServer(() => undefined);
    const { guard } = await startGuard({ originPort: silent.port, idleTimeoutMs: 100 });
    expect(await sendBytes(guard, connectHead('silent.example:443'))).toStartWith('HTTP/1.1 200');
    expect(await sendBytes(guard, getHead('http://silent.example/'))).toStartWith('HTTP/1.1 502');
    await until(() => guard.counters.openConnections === 0);
  });

  test('a truncated body ends with a reset', async () => {
    const origin = await startServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\npart');
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
    });
    const { guard } = await startGuard({ originPort: origin.port });
    const socket = openSocket(guard);
    let reset = false;
    socket.on('error', () => (reset = true)).resume();
    socket.write(getHead('http://breaks.example/'));
    await until(() => reset);
  });

  test('100 concurrent requests each get their own response', async () => {
    const origin = await startServer((socket) => {
      socket.once('data', (chunk) => {
        const path = /^GET (\S+)/.exec(String(chunk))?.[1] ?? '';
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
      });
    });
    const { guard } = await startGuard({ originPort: origin.port });
    const paths = Array.from({ length: 100 }, (_, index) => `/item-${index}`);
    const bodies = await Promise.all(
      paths.map(async (path) => (await guard.fetch(`http://many.example${path}`)).text()),
    );
    expect(bodies).toEqual(paths);
    expect(guard.counters).toMatchObject({ allowed: 100, refused: 0 });
    await until(() => guard.counters.openConnections === 0);
  });
});
