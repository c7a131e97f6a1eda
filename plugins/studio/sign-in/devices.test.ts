import { expect, setSystemTime, test, afterEach } from 'bun:test';
import { Sealer } from '../../../src/sealer.ts';
import type { User } from '../collections.ts';
import { createDevices, DEVICE_MS } from './devices.ts';

const devices = createDevices(new Sealer('a'.repeat(64)));
const user: User = { id: 'acct_a', role: 'owner', passwordHash: 'hash', epoch: 3, createdAt: 0 };

afterEach(() => {
  setSystemTime();
});

test('a device is recognized for its user, in the epoch of the sign-in', () => {
  const value = devices.issue(user);
  expect(devices.identify(value, user)).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(devices.identify(value, { ...user, id: 'acct_b' })).toBeUndefined();
  expect(devices.identify(value, { ...user, epoch: 4 })).toBeUndefined();
  expect(devices.identify(value, { ...user, epoch: 2 })).toBeUndefined();
  expect(devices.identify(devices.issue(user), user)).not.toBe(devices.identify(value, user));
});

test('a device is forgotten after 180 days', () => {
  const value = devices.issue(user);
  setSystemTime(Date.now() + DEVICE_MS - 60_000);
  expect(devices.identify(value, user)).toBeDefined();
  setSystemTime(Date.now() + 60_001);
  expect(devices.identify(value, user)).toBeUndefined();
});

test('a changed cookie, one of another secret, and other texts are not recognized', () => {
  const value = devices.issue(user);
  const [id = '', expiry = '', signature = ''] = value.split('.');
  const other = createDevices(new Sealer('b'.repeat(64)));
  for (const forged of [
    undefined,
    '',
    id,
    `${id}.${expiry}.`,
    `${id}.${expiry}.${'0'.repeat(64)}`,
    `${'A'.repeat(22)}.${expiry}.${signature}`,
    `${id}.${Number(expiry) + 1}.${signature}`,
    `${id}.0${expiry}.${signature.toUpperCase()}`,
    `${value}\n`,
    `${id}\n.${expiry}.${signature}`,
    other.issue(user),
  ])
    expect(devices.identify(forged, user)).toBeUndefined();
});
