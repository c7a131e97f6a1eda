import { AppError } from '../../../src/plugin.ts';

/** The bounds of a password, in UTF-16 code units. */
export const PASSWORD_LENGTH = { minLength: 10, maxLength: 200 } as const;

/** Each hash takes 64 MiB of memory and about a tenth of a second of CPU time. */
const CONCURRENT_HASHES = 2;
const MAX_WAITING = 50;

/** Hashes and verifies passwords with argon2id, at most two at a time. */
export interface Passwords {
  /** @throws {AppError} UNAVAILABLE when too many hashes are waiting */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. Without a hash, does the same work and returns `false`, so that the duration reveals
   * nothing about the account.
   * @throws {AppError} UNAVAILABLE when too many hashes are waiting
   */
  verify(password: string, hash: string | null | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;
  let standIn: string | undefined;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= CONCURRENT_HASHES) {
      if (waiting.length >= MAX_WAITING)
        throw new AppError('UNAVAILABLE', 'too many people are signing in', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The next caller takes over the slot, so `running` stays the same.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  const hash = (password: string) => Bun.password.hash(normalize(password), 'argon2id');
  return {
    hash: (password) => inTurn(() => hash(password)),
    async verify(password, stored) {
      return inTurn(async () => {
        // The stand-in is made even if there is a stored hash, so that the first verification takes the same
        // time in both cases.
        const other = (standIn ??= await hash(crypto.randomUUID()));
        const matches = await Bun.password.verify(normalize(password), stored ?? other);
        return matches && typeof stored === 'string';
      });
    },
  };
}

/** Normalizes a password, so that it does not matter how the keyboard composes its characters (RFC 8265). */
function normalize(password: string): string {
  return password.normalize('NFC');
}
