import { expect, test } from 'bun:test';
import { clientAddress } from './client-address.ts';

test.each([
  ['no proxy: the header is ignored', '203.0.113.9', 0, '10.0.0.1'],
  ['no header', null, 1, '10.0.0.1'],
  ['one proxy', '203.0.113.9', 1, '203.0.113.9'],
  ['an entry that the client invented', '1.2.3.4, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies', '1.2.3.4, 203.0.113.9, 192.0.2.1', 2, '203.0.113.9'],
  ['fewer entries than proxies', '203.0.113.9', 2, '10.0.0.1'],
  ['no address', 'unknown', 1, '10.0.0.1'],
  ['IPv6', '2001:db8::1', 1, '2001:db8::1'],
  ['with a port', '203.0.113.9:5678', 1, '203.0.113.9'],
  ['IPv6 with a port', '[2001:db8::1]:443', 1, '2001:db8::1'],
])('%s', (_, header, trusted, expected) => {
  expect(clientAddress(header, '10.0.0.1', trusted)).toBe(expected);
});
