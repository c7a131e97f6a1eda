import { AppError } from '../../errors.ts';

/** Smaller bodies are not counted: the number of requests bounds them. */
const UNCOUNTED_BYTES = 1_000_000;
/** The largest body of most routes. */
const USUAL_BYTES = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 2;

/** How much memory request bodies may hold at once. */
export interface BodyMemoryOptions {
  /** Of all callers together. */
  totalBytes: number;
}

/** Who sends a body. */
export interface BodySender {
  /** The account, or the address of a caller without one. */
  id: string;
  /** How many requests of the account are worked on at once; `null` is without limit. */
  concurrency: number | null;
}

/** The memory of one request's body. */
export interface BodyReservation {
  /**
   * Reserves memory for a body that has grown to this size.
   * @throws {AppError} RATE_LIMITED when the sender already holds its share.
   */
  reserve: (bytes: number) => void;
  /** Throws as `reserve` would for a body of an announced size, and reserves nothing. */
  requireRoom: (bytes: number) => void;
  /** Frees all of it. */
  release: () => void;
}

/** The large bodies of one sender. */
interface Held {
  bytes: number;
  bodies: number;
}

/**
 * Bounds the memory of request bodies, from their arrival to their response. Large bodies that arrive all at once are refused and told
 * when to come again.
 *
 * A sender may hold as much as it leaves to all others: one alone half of the memory, two a third each. It may also hold no more than 32 MiB
 * for each request that it may have worked on at once, and for one more that waits; a single body may be larger.
 */
export class BodyMemory {
  readonly #totalBytes: number;
  readonly #held = new Map<string, Held>();
  #usedBytes = 0;

  constructor({ totalBytes }: BodyMemoryOptions) {
    this.#totalBytes = totalBytes;
  }

  /** Opens the reservation of one request. */
  open({ id, concurrency }: BodySender): BodyReservation {
    const limitBytes = concurrency === null ? Number.POSITIVE_INFINITY : (concurrency + 1) * USUAL_BYTES;
    let ownBytes = 0;
    const check = (bytes: number): { more: number; held: Held; others: number } | undefined => {
      const more = bytes > UNCOUNTED_BYTES ? bytes - ownBytes : 0;
      if (more <= 0) return undefined;
      const held = this.#held.get(id) ?? { bytes: 0, bodies: 0 };
      const others = held.bodies - (ownBytes > 0 ? 1 : 0);
      const leavesTooLittle = held.bytes + more > this.#totalBytes - this.#usedBytes - more;
      if (leavesTooLittle || (others > 0 && held.bytes + more > limitBytes))
        throw new AppError('RATE_LIMITED', 'the service is busy with other large requests of yours', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      return { more, held, others };
    };
    return {
      requireRoom: (bytes) => void check(bytes),
      reserve: (bytes) => {
        const checked = check(bytes);
        if (!checked) return;
        const { more, held, others } = checked;
        this.#held.set(id, { bytes: held.bytes + more, bodies: others + 1 });
        ownBytes += more;
        this.#usedBytes += more;
      },
      release: () => {
        const held = this.#held.get(id);
        if (!held || ownBytes === 0) return;
        this.#usedBytes -= ownBytes;
        if (held.bodies === 1) this.#held.delete(id);
        else this.#held.set(id, { bytes: held.bytes - ownBytes, bodies: held.bodies - 1 });
        ownBytes = 0;
      },
    };
  }
}
