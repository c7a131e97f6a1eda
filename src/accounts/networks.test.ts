import { describe, expect, test } from 'bun:test';
import { areWithin, isAllowed, readNetwork } from './networks.ts';

describe('readNetwork', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:0db8:0:0::1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    // An IPv4-compatible address is not an IPv4-mapped one.
    ['::8.8.8.8', '::808:808/128'],
  ])('reads %p as %p', (text, network) => {
    expect(readNetwork(text)).toEqual({ network });
  });

  test.each([
    '',
    ' ',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8/8',
    '10.0.0.0/٨',
    '1０.0.0.0/8',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '10/8',
    '167772160',
    '::/129',
    'fe80::1%eth0',
    '[::1]',
    'localhost',
    ' 10.0.0.0/8',
    '10.0.0.0/8\n',
    '10.0.0.0/1e0',
  ])('rejects %p', (text) => {
    expect(readNetwork(text)).toEqual({ fault: expect.stringContaining('must be an IPv4 or IPv6 address') });
  });

  test.each([
    ['10.1.0.0/8', 'has bits after its prefix; write 10.0.0.0/8'],
    ['2001:db8::1/64', 'has bits after its prefix; write 2001:db8::/64'],
    ['1.2.3.4/0', 'has bits after its prefix; write 0.0.0.0/0'],
  ])('rejects the network %p with bits after its prefix', (text, fault) => {
    expect(readNetwork(text)).toEqual({ fault });
  });
});

describe('isAllowed', () => {
  test.each([
    ['10.9.8.7', ['10.0.0.0/8'], true],
    ['11.0.0.1', ['10.0.0.0/8'], false],
    ['::ffff:10.9.8.7', ['10.0.0.0/8'], true],
    ['::ffff:a09:807', ['10.0.0.0/8'], true],
    ['::10.9.8.7', ['10.0.0.0/8'], false],
    ['10.9.8.7', ['::/0'], false],
    ['::ffff:10.9.8.7', ['::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['unix', ['0.0.0.0/0', '::/0'], false],
  ])('%p in %p: %p', (address, networks, expected) => {
    expect(isAllowed(address, networks)).toBe(expected);
  });
});

describe('areWithin', () => {
  test.each([
    [['10.1.0.0/16'], ['10.0.0.0/8'], true],
    [['10.0.0.0/8'], ['10.0.0.0/8'], true],
    [['10.0.0.0/7'], ['10.0.0.0/8'], false],
    [['0.0.0.0/0'], ['10.0.0.0/8'], false],
    [['::/0'], ['10.0.0.0/8'], false],
    [['10.0.0.0/8'], ['::/0'], false],
    [['10.1.0.0/16', '192.0.2.0/24'], ['10.0.0.0/8'], false],
    [['10.0.0.0/24'], ['10.0.0.0/25', '10.0.0.128/25'], false],
    [['2001:db8:1::/48'], ['2001:db8::/32'], true],
  ])('%p within %p: %p', (networks, outer, expected) => {
    expect(areWithin(networks, outer)).toBe(expected);
  });
});
