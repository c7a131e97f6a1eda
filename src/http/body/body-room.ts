import { AppError } from '../../errors.ts';

/** Smaller bodies are not counted: there, the number of requests is the bound. */
const FREE_BYTES = 1_000_000;
const RETRY_AFTER_SECONDS = 2;

/** How much of large bodies is in memory at once. */
export interface BodyRoomOptions {
  /** Of all callers together. */
  totalBytes: number;
}

/** The room that one request has taken. */
export interface BodyShare {
  /**
   * Takes room for a body that has become this large.
   * @throws {AppError} RATE_LIMITED when an account would have more than what is left to all others.
   */
  cover: (bytes: number) => void;
  /** Gives all of it back. */
  release: () => void;
}

/**
 * Bounds what request bodies hold of memory, from when they come until they are answered: large ones that come all at once are
 * refused, and told when to come again, instead of exhausting the service.
 *
 * An account may have as much as it leaves to all others: one alone has half of the room, two have a third each, and however many
 * there are, something is left for the next.
 */
export class BodyRoom {
  readonly #totalBytes: number;
  readonly #ofAccount = new Map<string, number>();
  #used = 0;

  constructor({ totalBytes }: BodyRoomOptions) {
    this.#totalBytes = totalBytes;
  }

  /** Begins a request of an account. */
  enter(account: string): BodyShare {
    let own = 0;
    return {
      cover: (bytes) => {
        const more = bytes > FREE_BYTES ? bytes - own : 0;
        if (more <= 0) return;
        const ofAccount = this.#ofAccount.get(account) ?? 0;
        if (ofAccount + more > this.#totalBytes - this.#used - more)
          throw new AppError('RATE_LIMITED', 'the service is busy: too many large bodies are worked on', {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          });
        own += more;
        this.#used += more;
        this.#ofAccount.set(account, ofAccount + more);
      },
      release: () => {
        const left = (this.#ofAccount.get(account) ?? 0) - own;
        this.#used -= own;
        own = 0;
        if (left > 0) this.#ofAccount.set(account, left);
        else this.#ofAccount.delete(account);
      },
    };
  }
}
