import { timingSafeEqual } from 'node:crypto';
import { newId, type Sealer } from '../../../src/plugin.ts';
import type { User } from '../collections.ts';

/** How long a browser is known after a sign-in. */
export const DEVICE_MS = 180 * 24 * 60 * 60_000;

const FORM = /^([0-9A-Za-z]{22})\.([0-9]{1,15})\.([0-9a-f]{64})$/;

/**
 * Recognizes browsers in which a user has signed in before, by a signed cookie. The cookie authenticates
 * nothing: it only separates the failed sign-ins of this browser from those of strangers. Nothing is stored.
 */
export interface Devices {
  /**
   * Returns the value of the cookie for a new device. It ends with the epoch of the user, and after 180 days.
   */
  issue(user: User): string;
  /**
   * Returns the id of the device of a cookie, or `undefined` if the cookie was not issued for this user in
   * the current epoch.
   */
  identify(value: string | undefined, user: User): string | undefined;
}

export function createDevices(sealer: Sealer): Devices {
  const sign = (id: string, expiresAt: number, { id: accountId, epoch }: User) =>
    sealer.hash('device', [id, expiresAt, accountId, epoch].join('\n'));
  return {
    issue(user) {
      const id = newId('', 22);
      const expiresAt = Date.now() + DEVICE_MS;
      return `${id}.${expiresAt}.${sign(id, expiresAt, user)}`;
    },
    identify(value, user) {
      const [, id = '', expiry = '', signature = ''] = FORM.exec(value ?? '') ?? [];
      if (!id || Number(expiry) <= Date.now()) return undefined;
      const expected = Buffer.from(sign(id, Number(expiry), user));
      return timingSafeEqual(Buffer.from(signature), expected) ? id : undefined;
    },
  };
}
