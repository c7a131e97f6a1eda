import { afterEach, describe, expect, test } from 'bun:test';
import { createEgressGuard, EgressError } from '../../src/egress/guard.ts';
import { rejection } from '../support/rejection.ts';
import { closeAll, sendBytes, getHead, okResponse, startGuard, startOrigin } from './egress-harness.ts';

afterEach(closeAll);

describe('EGRESS_ALLOW', () => {
  test('allows exactly the host and port of an entry', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed } = await startGuard({
      allow: [`127.0.0.1:${origin.port}`],
      originPort: origin.port,
    });
    expect(await sendBytes(guard, getHead(`http://127.0.0.1:${origin.port}/`))).toContain('hello');
    expect(dialed).toEqual([`127.0.0.1:${origin.port}`]);
    for (const other of [
      `127.0.0.1:${origin.port + 1}`,
      `127.0.0.1:${origin.port - 1}`,
      '127.0.0.1',
      `127.0.0.2:${origin.port}`,
      `[::ffff:127.0.0.1]:${origin.port}`,
      `[::1]:${origin.port}`,
    ]) {
      expect(await sendBytes(guard, getHead(`http://${other}/`))).toStartWith('HTTP/1.1 403');
    }
    expect(dialed).toHaveLength(1);
  });

  test('matches names regardless of case, names with private addresses, and IPv6 addresses', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed } = await startGuard({
      allow: ['Assets.Internal:8080', '[::1]:80'],
      answers: [['10.1.2.3']],
      originPort: origin.port,
    });
    expect(await sendBytes(guard, getHead('http://ASSETS.internal:8080/'))).toContain('hello');
    expect(await sendBytes(guard, getHead('http://[0::1]/'))).toContain('hello');
    expect(dialed).toEqual(['10.1.2.3:8080', '::1:80']);
    expect(await sendBytes(guard, getHead('http://assets.internal/'))).toStartWith('HTTP/1.1 403');
    expect(await sendBytes(guard, getHead('http://x.assets.internal:8080/'))).toStartWith('HTTP/1.1 403');
  });

  test.each(['assets.internal', 'http://a:80', 'a:0', 'a:70000', 'u@a:80', '', 'a:80/x', '10.0.0.0/8:80'])(
    'rejects the entry %p at startup',
    async (entry) => {
      expect(String(await rejection(createEgressGuard({ allow: [entry] })))).toContain('must be host:port');
    },
  );

  test('a redirect from an allowed origin to a private address is refused', async () => {
    const secret = await startOrigin(okResponse);
    const origin = await startOrigin(
      `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${secret.port}/\r\nContent-Length: 0\r\n\r\n`,
    );
    const { guard } = await startGuard({ allow: [`127.0.0.1:${origin.port}`], originPort: origin.port });
    const url = `http://127.0.0.1:${origin.port}/`;
    const manual = await guard.fetch(url);
    expect(manual.status).toBe(302);
    const followed = guard.fetch(url, { redirect: 'follow' });
    expect(await rejection(followed)).toBeInstanceOf(EgressError);
    expect(secret.state.connections).toBe(0);
  });
});
