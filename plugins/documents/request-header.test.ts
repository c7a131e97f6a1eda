import { expect, test } from 'bun:test';
import { headerFault, isToken } from './request-header.ts';

const fault = (name: string, value = 'x') => headerFault({ name, value }, 'latin1');

test('the name of a header is a token of 1 to 100 characters', () => {
  for (const name of ['X-Tenant', 'a', "!#$%&'*+.^_`|~9", 'x'.repeat(100)]) {
    expect(fault(name)).toBeUndefined();
    expect(isToken(name)).toBe(true);
  }
  for (const name of ['', 'x'.repeat(101), 'a b', 'a:', 'ä', 'a\n', '\0', '(a)']) {
    expect(fault(name)).toBe('name');
    expect(isToken(name)).toBe(false);
  }
});

test('headers of the connection are recognised in any case', () => {
  for (const name of ['Host', 'CONNECTION', 'content-length', 'TE', 'Proxy-Anything', 'upgrade'])
    expect(fault(name)).toBe('connection');
  for (const name of ['Hosts', 'Content-Type', 'Proxy', 'Cookie']) expect(fault(name)).toBeUndefined();
});

test('a value has no line breaks, and the characters that its caller allows', () => {
  const both = (value: string) =>
    (['latin1', 'ascii'] as const).map((characters) => headerFault({ name: 'A', value }, characters));
  for (const value of ['', 'plain ~', ' spaces ']) expect(both(value)).toEqual([undefined, undefined]);
  for (const value of ['a\tb', 'é']) expect(both(value)).toEqual([undefined, 'value']);
  for (const value of ['a\r\nB: c', 'a\n', '\0', '\u007f', '\u{1f9fe}'])
    expect(both(value)).toEqual(['value', 'value']);
  expect(both('x'.repeat(8_001))).toEqual(['value', undefined]);
});

test('the first fault is that of the name, then that of the connection', () => {
  expect(headerFault({ name: 'a b', value: '\n' }, 'ascii')).toBe('name');
  expect(headerFault({ name: 'Host', value: '\n' }, 'ascii')).toBe('connection');
});
