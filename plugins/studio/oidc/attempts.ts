import { DuplicateKeyError, UnsealError, type Collection, type Sealer } from '../../../src/plugin.ts';
import type { UsedChallenge } from '../collections.ts';
import type { Attempt } from './provider.ts';

/** The time within which a person must sign in at the provider. */
export const ATTEMPT_MS = 10 * 60_000;

/** A sign-in at the identity provider that a browser began. */
export interface StoredAttempt extends Attempt {
  /** The path of the studio to which the browser returns. */
  returnTo: string;
  /** The person who confirms their identity. */
  expectedUserId?: string | undefined;
  /** The token of the invitation that the person accepts. */
  invitation?: string | undefined;
}

/**
 * Keeps attempts to sign in encrypted in the browser, so that requests without a session store nothing in the
 * database, and accepts each of them once.
 */
export interface Attempts {
  seal(attempt: StoredAttempt): string;
  /** Returns the attempt of a cookie, or `null` if it is unknown, expired or already used. */
  take(cookie: string | undefined): Promise<StoredAttempt | null>;
}

const SUBJECT = 'sign-in at an identity provider';

export function createAttempts(used: Collection<UsedChallenge>, sealer: Sealer): Attempts {
  return {
    // The value of a cookie must not contain "=".
    seal: (attempt) =>
      Buffer.from(
        sealer.seal(SUBJECT, JSON.stringify({ ...attempt, expiresAt: Date.now() + ATTEMPT_MS })),
        'base64',
      ).toString('base64url'),
    async take(cookie) {
      if (cookie === undefined) return null;
      try {
        const sealed = Buffer.from(cookie, 'base64url').toString('base64');
        const { expiresAt, ...attempt } = JSON.parse(sealer.unseal(SUBJECT, sealed)) as StoredAttempt & {
          expiresAt: number;
        };
        if (expiresAt <= Date.now()) return null;
        await used.insert({ id: sealer.hash(SUBJECT, attempt.state), expiresAt });
        return attempt;
      } catch (error) {
        if (error instanceof UnsealError || error instanceof DuplicateKeyError) return null;
        throw error;
      }
    },
  };
}
