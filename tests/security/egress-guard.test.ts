import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { connect, Socket } from 'node:net';
import { createEgressGuard } from '../../src/egress/guard.ts';
import {
  closeAll,
  closers,
  connectHead,
  sendBytes,
  getHead,
  okResponse,
  startGuard,
  startOrigin,
  type Harness,
} from './egress-harness.ts';

afterEach(closeAll);

const privateHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0X7F.0x0.0x0.0x1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '0x',
  '10.0.0.1',
  '167772161',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '0xa9.254.0251.0376',
  '2852039166',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
];

const malformedTargets = [
  'user@93.184.216.34:80',
  'user:pass@93.184.216.34:80',
  '127.0.0.1@93.184.216.34:80',
  '93.184.216.34:0',
  '93.184.216.34:65536',
  '93.184.216.34:99999',
  '93.184.216.34:-1',
  '93.184.216.34:80:80',
  '93.184.216.34:8o',
  '%31%32%37.0.0.1:80',
  '[::1%25lo]:80',
  '[fe80::1%eth0]:80',
  '[::1:80',
  '[::1]x:80',
  '::1:80',
  '256.256.256.256:80',
  '1.2.3.4.5:80',
  '4294967296:80',
  '127.0.0.1..:80',
  '..:80',
  'a..b:80',
  ':80',
  'xn--a:80',
];

describe('the guard refuses', () => {
  let harness: Harness;
  let close: typeof closers;
  beforeAll(async () => {
    harness = await startGuard();
    close = closers.splice(0);
  });
  afterAll(async () => {
    for (const end of close) await end();
  });

  for (const host of privateHosts) {
    test(`${host} by CONNECT and in absolute-form`, async () => {
      for (const head of [
        connectHead(`${host}:443`),
        getHead(`http://${host}/`),
        getHead(`http://${host}:8080/x?y`),
      ]) {
        const answer = await sendBytes(harness.guard, head);
        expect(answer).toStartWith('HTTP/1.1 403 Forbidden\r\n');
        expect(answer).toContain('\r\nx-platen-egress: refused\r\n');
      }
      expect(harness.dialed).toEqual([]);
      expect(harness.lookups).toEqual([]);
    });
  }

  for (const target of malformedTargets) {
    test(`the target ${target}`, async () => {
      for (const head of [connectHead(target), getHead(`http://${target}/`)]) {
        const answer = await sendBytes(harness.guard, head);
        expect(answer).toMatch(/^HTTP\/1\.1 40[03] [\s\S]*\r\nx-platen-egress: (refused|malformed)\r\n/);
      }
      expect(harness.dialed).toEqual([]);
      expect(harness.lookups).toEqual([]);
    });
  }

  test('CONNECT without a port', async () => {
    expect(await sendBytes(harness.guard, connectHead('example.com'))).toStartWith('HTTP/1.1 403');
    expect(harness.dialed).toEqual([]);
  });

  test.each([
    'https://example.com/',
    'ftp://example.com/',
    'ws://example.com/',
    'file:///etc/passwd',
    '/etc',
    '*',
    'example.com:80',
  ])('GET %s', async (target) => {
    expect(await sendBytes(harness.guard, getHead(target))).toStartWith('HTTP/1.1 400');
    expect(harness.dialed).toEqual([]);
  });
});

describe('names', () => {
  test('a name is resolved once, and the checked address is dialed', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed, lookups } = await startGuard({ originPort: origin.port });
    const answer = await sendBytes(guard, getHead('http://Example.COM:8080/a?b=c', 'example.com:8080'));
    expect(answer).toStartWith('HTTP/1.1 200 OK\r\n');
    expect(answer).toEndWith('\r\n\r\nhello');
    expect(dialed).toEqual(['93.184.216.34:8080']);
    expect(lookups).toEqual(['example.com']);
    expect(origin.state.received).toStartWith('GET /a?b=c HTTP/1.1\r\nHost: example.com:8080\r\n');
  });

  test('DNS rebinding: a request uses the answer that was checked, and the next request is checked anew', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed, lookups } = await startGuard({
      originPort: origin.port,
      answers: [['93.184.216.34'], ['127.0.0.1']],
    });
    expect(await sendBytes(guard, getHead('http://rebind.example/'))).toContain('hello');
    expect(lookups).toEqual(['rebind.example']);
    expect(dialed).toEqual(['93.184.216.34:80']);
    expect(await sendBytes(guard, getHead('http://rebind.example/'))).toStartWith('HTTP/1.1 403');
    expect(dialed).toHaveLength(1);
  });

  test.each([
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['93.184.216.34', '::1']],
    [['2606:4700::1111', 'fe80::1%eth0']],
    [['::ffff:10.0.0.1']],
    [['localhost']],
    [['']],
  ])('a name with the addresses %p is refused, and the answer does not reveal them', async (addresses) => {
    const { guard, dialed } = await startGuard({ answers: [addresses] });
    for (const head of [connectHead('mixed.example:443'), getHead('http://mixed.example/')]) {
      const answer = await sendBytes(guard, head);
      expect(answer).toStartWith('HTTP/1.1 403');
      expect(answer).not.toMatch(/127\.0\.0\.1|10\.0\.0\.1|93\.184|::1/);
    }
    expect(dialed).toEqual([]);
  });

  test('a name is unresolvable if the resolver throws or returns an empty list', async () => {
    const { guard } = await startGuard({ answers: [[]] });
    expect(await sendBytes(guard, connectHead('none.example:443'))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*x-platen-egress: unresolvable/,
    );
    const failing = await startGuard({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await sendBytes(failing.guard, getHead('http://none.example/'))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*: unresolvable/,
    );
    expect(failing.guard.counters).toMatchObject({ allowed: 0, refused: 0, unresolvable: 1 });
  });

  test('localhost is refused through the real resolver', async () => {
    const dialed: string[] = [];
    const guard = await createEgressGuard({ allow: [] }, ({ address }) => {
      dialed.push(address);
      return connect(1, '127.0.0.1');
    });
    closers.push(() => guard.close());
    for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
      expect(await sendBytes(guard, getHead(`http://${host}/`))).toMatch(/^HTTP\/1\.1 (403|502)/);
    }
    expect(dialed).toEqual([]);
  });

  test('the next address is tried if one refuses the connection', async () => {
    const origin = await startOrigin(okResponse);
    const { guard, dialed } = await startGuard({
      answers: [['93.184.216.34', '93.184.216.35']],
      dial: ({ address }) => connect(address.endsWith('34') ? 1 : origin.port, '127.0.0.1'),
    });
    expect(await sendBytes(guard, getHead('http://two.example/'))).toContain('hello');
    expect(dialed).toEqual(['93.184.216.34:80', '93.184.216.35:80']);
  });

  test('a host that refuses connections gets 502, and a host that does not respond 504', async () => {
    const closed = await startGuard({ originPort: 1 });
    expect(await sendBytes(closed.guard, connectHead('closed.example:443'))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*: unreachable/,
    );
    const silent = await startGuard({ connectTimeoutMs: 50, dial: () => new Socket() });
    expect(await sendBytes(silent.guard, connectHead('silent.example:443'))).toMatch(
      /^HTTP\/1\.1 504 [\s\S]*: timeout/,
    );
    const unresolved = await startGuard({
      connectTimeoutMs: 50,
      resolve: () => new Promise(() => undefined),
    });
    expect(await sendBytes(unresolved.guard, getHead('http://slow.example/'))).toMatch(
      /^HTTP\/1\.1 504 [\s\S]*: timeout/,
    );
    expect(closed.guard.decisionOf('https://closed.example/')?.failure).toBe(
      'the host does not accept connections',
    );
    expect(silent.guard.decisionOf('https://silent.example/')?.failure).toBe(
      'the host did not accept the connection in time',
    );
    expect(unresolved.guard.decisionOf('http://slow.example/')).toMatchObject({
      outcome: 'unresolvable',
      reason: 'the host was not resolved in time',
    });
  });

  test('the failure of a host is known until a connection succeeds', async () => {
    const origin = await startOrigin(okResponse);
    let port = 1;
    const { guard } = await startGuard({ dial: () => connect(port, '127.0.0.1') });
    const failure = () => guard.decisionOf('http://changing.example/')?.failure;
    await sendBytes(guard, getHead('http://changing.example/'));
    expect(failure()).toBe('the host does not accept connections');
    port = origin.port;
    expect(await sendBytes(guard, getHead('http://changing.example/'))).toContain('hello');
    expect(failure()).toBeUndefined();
  });
});
