import {
  AppError,
  DuplicateKeyError,
  invalid,
  newId,
  UnsealError,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { UsedChallenge } from '../collections.ts';

const CEREMONY_MS = 5 * 60_000;

/** A challenge that a browser must sign. */
export interface Challenge {
  kind: 'sign-in' | 'registration';
  /** The id of the account or the link that registers a passkey, or an empty string for a sign-in. */
  subject: string;
  /** Base64url. */
  challenge: string;
}

/**
 * Issues challenges and accepts one response to each. The browser keeps the encrypted challenge until it
 * responds, so requests without a session store nothing in the database.
 */
export interface Ceremonies {
  /** Returns a challenge in encrypted form, which is valid for five minutes. */
  begin(challenge: Challenge): string;
  /**
   * Returns the challenge.
   * @throws {AppError} VALIDATION_ERROR when it is unknown, expired or for another purpose
   */
  read(ceremony: string, expected: Pick<Challenge, 'kind' | 'subject'>): string;
  /**
   * Invalidates a challenge after its response was verified.
   * @throws {AppError} VALIDATION_ERROR when it was used before
   */
  finish(ceremony: string): Promise<void>;
}

export function createCeremonies(used: Collection<UsedChallenge>, sealer: Sealer): Ceremonies {
  const SUBJECT = 'passkey ceremony';
  return {
    begin: (challenge) =>
      sealer.seal(
        SUBJECT,
        JSON.stringify({ ...challenge, id: newId(''), expiresAt: Date.now() + CEREMONY_MS }),
      ),
    read(ceremony, { kind, subject }) {
      const opened = open(ceremony);
      if (opened.kind !== kind || opened.subject !== subject || opened.expiresAt <= Date.now()) throw stale();
      return opened.challenge;
    },
    async finish(ceremony) {
      const { id, expiresAt } = open(ceremony);
      try {
        await used.insert({ id, expiresAt });
      } catch (error) {
        throw error instanceof DuplicateKeyError ? stale() : error;
      }
    },
  };

  function open(ceremony: string): Challenge & { id: string; expiresAt: number } {
    try {
      return JSON.parse(sealer.unseal(SUBJECT, ceremony));
    } catch (error) {
      throw error instanceof UnsealError ? stale() : error;
    }
  }
}

function stale(): AppError {
  return invalid('ceremony', 'has expired or was used; start again');
}
